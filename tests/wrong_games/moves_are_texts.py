"""A move is a text instead of an integer."""

from tests.take_away import Pile, Right

RULE = "move-type"


class MovesAreTexts(Right):
    def moves(self, state):
        return [str(count) for count in range(1, min(3, state.left) + 1)]

    def play(self, state, move):
        return Pile(state.left - int(move), 1 - state.turn)
