"""A noisy move that gains nothing."""

import plywise as pw
from tests.take_away import Right

RULE = "gain"


class NoiseWithoutGain(pw.Tactics, Right):
    def noisy_moves(self, state):
        yield 1
