"""A playout returns a score, but not that of its last position."""

import plywise as pw
from tests.take_away import Right

RULE = "playout"


class PlayoutOfAnotherScore(pw.Playouts, Right):
    def playout(self, state, trail):
        while not self.is_terminal(state):
            trail.note(self.to_move(state), 1)
            state = self.play(state, 1)
        return 0
