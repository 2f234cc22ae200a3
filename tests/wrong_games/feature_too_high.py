"""A feature that is not below their number."""

import plywise as pw
from tests.take_away import Right

RULE = "features"


class FeatureTooHigh(pw.Features, Right):
    feature_count = 4

    def features(self, state, player):
        yield state.left
