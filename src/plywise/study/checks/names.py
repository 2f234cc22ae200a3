"""Names: a method that plywise never calls may be a misspelt one."""

from __future__ import annotations

import dataclasses
import difflib
import types

from plywise.compiling.fingerprint import members, names_in, plain
from plywise.game import Game
from plywise.study.checks.part import Part, Place

CLOSE = 0.8
"""How similar a name must be to that of an optional method, as ``difflib`` measures it."""


class Names(Part):
    """No method is named almost like an optional one and used by nothing."""

    def begin(self, start: Place) -> None:
        game = type(self.game)
        bases = [base for base in game.__mro__ if not base.__module__.startswith("plywise.")]
        own = {name for base in bases for name in vars(base) if not name.startswith("_")}
        known = {name for name in members(Game) if not name.startswith("_")}
        code = [plain(value) for base in bases for value in vars(base).values()]  # overridden ones too: see super()
        used = {name for each in code if isinstance(each, types.FunctionType) for name in names_in(each.__code__)}
        fields = {field.name for field in dataclasses.fields(game)}
        for name in sorted(own - known - used - fields):
            near = difflib.get_close_matches(name, sorted(known), 1, CLOSE)
            if near:
                self.subject.found("misspelt", f"nothing uses {name}: did you mean {near[0]}?", subject=name)
