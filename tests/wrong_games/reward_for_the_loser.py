"""A reward falls when the score rises."""

import plywise as pw
from tests.take_away import Right

RULE = "reward"


class RewardForTheLoser(pw.Playouts, Right):
    def reward(self, score):
        return -score
