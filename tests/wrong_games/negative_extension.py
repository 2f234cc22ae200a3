"""An extension below zero."""

import plywise as pw
from tests.take_away import Right

RULE = "extension-type"


class NegativeExtension(pw.Tactics, Right):
    def extension(self, state):
        return -1
