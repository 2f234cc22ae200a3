"""The answers of a game's compiled methods, one by one, for comparison with the interpreted ones.

For each game a small function is compiled.  It calls the method with a given number and writes the answer as words into
an array, which holds positions, tuples and numbers alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core.registry import cpu_target

from plywise.compiling.bridge import entry
from plywise.compiling.cells_type import CellsType
from plywise.compiling.diagnose import OTHER_ARGUMENTS, bare_state, refusals
from plywise.compiling.members import method_type
from plywise.compiling.native_types import native_type, state_type
from plywise.compiling.rows import put
from plywise.compiling.words import leaves, plain_numbers, word_count
from plywise.game import Game, Move, State
from plywise.inputs.limits import MOST_MOVES
from plywise.layers import Chance


class Probe:
    """Calls the compiled methods of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.refusals = dict(refusals(game))
        """The methods that cannot be compiled, and why."""
        self._kinds = {name: kind for name in game.ENTRY_POINTS or () if (kind := self._kind(name)) is not None}
        width = max(map(word_count, self._kinds.values()), default=0)
        self._rows = np.zeros((MOST_MOVES, width + 1), dtype=np.int64)
        self._numbers = {name: number for number, name in enumerate(self._kinds)}
        self._function = _asking(self._numbers)

    def _kind(self, name: str) -> types.Type | None:
        """Return the types of the numbers in an answer; None if the method is not compiled or returns anything else."""
        if "initial" in self.refusals or name in self.refusals or (name == "play" and "moves" in self.refusals):
            return None
        if name == "initial" or name in OTHER_ARGUMENTS:  # only Python calls the first
            return None
        context, game = cpu_target.typing_context, native_type(self.game)
        with_move = (state_type(context, game), types.int64)
        arguments: dict[str, Any] = {"play": with_move}
        if isinstance(self.game, Chance):
            arguments["probability"] = with_move
        try:
            kind = method_type(context, game, name, arguments.get(name, (state_type(context, game),)))
        except Exception:
            return None  # a default of Game that calls a method that cannot be compiled
        if name == "moves":
            kind = getattr(kind, "yield_type", None) or getattr(kind, "dtype", None)
        known = all(isinstance(leaf, (types.Number, types.Boolean, CellsType)) for leaf in leaves(kind))
        return kind if known else None

    def knows(self, name: str) -> bool:
        """Return whether ``ask`` can call method ``name``."""
        return name in self._kinds

    def ask(self, name: str, state: State, move: Move = 0) -> list[Any]:
        """Return the numbers in the answer of method ``name`` about a position; for ``moves``, all moves.

        Raises:
            CannotCompile: the position does not fit 64-bit numbers.
            Exception: the compiled method raised it.
        """
        inputs = (self._numbers[name], move, self._rows)
        count = entry(self._function)(self.game, bare_state(self.game, state), inputs)
        rows = self._rows[: min(count, MOST_MOVES)]
        return [number for row in rows.tolist() for number in plain_numbers(row, self._kinds[name])]


def _asking(methods: dict[str, int]) -> Any:
    """Return a function that calls the method with the given number and writes the answer into the rows."""
    lines = ["def ask(game, state, number, move, rows):"]
    calls = {name: f"game.{name}(state, move)" for name in ("play", "probability")}
    for name, number in methods.items():
        lines.append(f"    if number == {number}:")
        if name == "moves":
            lines.append("        count = 0")
            lines.append("        for each in game.moves(state):")
            lines.append("            if count < len(rows):")
            lines.append("                put(rows, count, 0, each)")
            lines.append("            count += 1")
            lines.append("        return count")
        else:
            lines.append(f"        put(rows, 0, 0, {calls.get(name, f'game.{name}(state)')})")
            lines.append("        return 1")
    lines.append("    return 0")
    scope = {"put": put, "__name__": __name__}
    exec("\n".join(lines), scope)
    return scope["ask"]
