"""The key merges mirror images, whose moves are not called the same."""

from tests.two_piles import TwoPiles

RULE = "key-moves"


class KeyWithoutNames(TwoPiles):
    def key(self, state):
        return (min(state.first, state.second), max(state.first, state.second), state.turn)
