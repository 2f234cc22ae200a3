"""The layout, a property, raises."""

import plywise as pw
from tests.take_away import Right

RULE = "exception"


class RaisingLayout(pw.View, Right):
    @property
    def layout(self):
        return pw.Grid(self.size // 0, 1)
