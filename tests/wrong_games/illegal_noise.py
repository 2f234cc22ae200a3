"""A noisy move that is not legal."""

import plywise as pw
from tests.take_away import Right

RULE = "noisy-moves"


class IllegalNoise(pw.Tactics, Right):
    def noisy_moves(self, state):
        yield state.left + 1
