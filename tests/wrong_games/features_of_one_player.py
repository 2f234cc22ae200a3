"""One player sees less than the other."""

import plywise as pw
from tests.take_away import Right

RULE = "features-agree"


class FeaturesOfOnePlayer(pw.Features, Right):
    feature_count = 40

    def features(self, state, player):
        if player == pw.MAX:
            yield 2 * state.left + state.turn
