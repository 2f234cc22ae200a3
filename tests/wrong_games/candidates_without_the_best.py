"""Candidates that leave out every good move."""

import plywise as pw
from tests.take_away import Right

RULE = "candidates"


class CandidatesWithoutTheBest(pw.Theory, Right):
    def candidates(self, state):
        yield 1
