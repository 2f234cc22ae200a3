"""A swing of nothing: every margin would be zero."""

import plywise as pw
from tests.take_away import Right

RULE = "swing"


class NoSwing(pw.Tactics, Right):
    swing = 0
