"""bounds promises that Max does not lose."""

from tests.take_away import Right

RULE = "bounds"


class FalseBounds(Right):
    def bounds(self, state):
        return (0, 1)
