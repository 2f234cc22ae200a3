"""A product that is exact in Python overflows the 64 bits of compiled code."""

from tests.take_away import Right

RULE = "differs"


class CompiledDiffers(Right):
    def score(self, state):
        return (1103515245 * (state.turn + 1) << 34) % 7 - 3
