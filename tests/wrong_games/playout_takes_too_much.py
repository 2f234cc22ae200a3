"""A playout takes more than the rules allow."""

import plywise as pw
from tests.take_away import Right

RULE = "playout"


class PlayoutTakesTooMuch(pw.Playouts, Right):
    def playout(self, state, trail):
        if state.left > 3:
            trail.note(self.to_move(state), 4)
        return 1
