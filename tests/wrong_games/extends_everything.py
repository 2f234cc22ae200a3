"""Every position is extended, so a search would never end."""

import plywise as pw
from tests.take_away import Right

RULE = "extension"


class ExtendsEverything(pw.Tactics, Right):
    size: int = 60

    def extension(self, state):
        return 1

    def noisy_moves(self, state):
        for move in self.moves(state):
            yield move
