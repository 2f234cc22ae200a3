"""extension returns nothing unless there is one left."""

import plywise as pw
from tests.take_away import Right

RULE = "extension-type"


class NoExtension(pw.Tactics, Right):
    def extension(self, state):
        return 1 if state.left == 1 else None

    def noisy_moves(self, state):
        if state.left == 1:
            yield 1

    def gain(self, state, move):
        return 1 if state.left == 1 else 0
