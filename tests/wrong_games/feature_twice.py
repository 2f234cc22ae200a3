"""A feature that is yielded twice."""

import plywise as pw
from tests.take_away import Right

RULE = "features"


class FeatureTwice(pw.Features, Right):
    feature_count = 20

    def features(self, state, player):
        yield state.left
        yield 10 + state.turn
        yield 10
