"""The only candidate is a move that play rejects."""

import plywise as pw
from tests.take_away import Pile, Right

RULE = "play-rejects"


class CandidatesThatPlayRejects(pw.Theory, Right):
    def play(self, state, move):
        if move == 1:
            raise ValueError("at least two")
        return Pile(state.left - move, 1 - state.turn)

    def candidates(self, state):
        yield 1
