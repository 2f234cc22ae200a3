"""Features of its own, but not their number."""

import plywise as pw
from tests.take_away import Right

RULE = "features"


class FeaturesNotCounted(pw.Features, Right):
    def features(self, state, player):
        yield state.left % 4
        if player == state.turn:
            yield 4
