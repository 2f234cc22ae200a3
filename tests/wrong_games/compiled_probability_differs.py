"""A product that is exact in Python overflows the 64 bits of compiled code."""

from tests.die import RightDie

RULE = "differs"


class CompiledProbabilityDiffers(RightDie):
    def probability(self, state, move):
        return 0.25 + 0.25 * ((1103515245 * (4 - move) << 34) // 1103515245 >> 34 == 3)
