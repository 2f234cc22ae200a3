"""moves offers to take three, but play rejects it."""

from tests.take_away import Pile, Right

RULE = "play-rejects"


class PlayRejectsAMove(Right):
    def play(self, state, move):
        if move == 3:
            raise ValueError("at most two")
        return Pile(state.left - move, 1 - state.turn)
