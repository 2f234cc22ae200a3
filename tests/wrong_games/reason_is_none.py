"""There is no reason why a large move is illegal, but a reason is a text."""

import plywise as pw
from tests.take_away import Right

RULE = "view-text"


class ReasonIsNone(pw.View, Right):
    def why_illegal(self, state, text):
        return "the pile is too small" if state.left == 1 else None
