"""How many may be taken depends on how often moves was called."""

import itertools

from tests.take_away import Right

RULE = "not-deterministic"

asked = itertools.count()


class RulesThatChange(Right):
    def moves(self, state):
        return range(1, min(1 + next(asked) % 2, state.left) + 1)
