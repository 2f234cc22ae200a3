"""A count of moves that is not the number of moves."""

import plywise as pw
from tests.take_away import Right

RULE = "count-moves"


class CountsThree(pw.Counting, Right):
    def count_moves(self, state):
        return 3
