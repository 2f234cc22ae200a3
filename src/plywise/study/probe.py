"""The answers of a game's compiled methods, one by one, for comparison with the interpreted ones.

A small function is compiled for the game that calls whichever method it is asked to, and writes the answer as words
into an array: positions, tuples and numbers all fit.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import types
from numba.core.registry import cpu_target

from plywise.algorithms.table import remember
from plywise.cells import block_words
from plywise.compiling.blocks import CellsType
from plywise.compiling.bridge import entry, method_type, native_type, state_type
from plywise.compiling.diagnose import bare_state, refusals
from plywise.game import Game, Move, State
from plywise.inputs.limits import MOST_MOVES


class Probe:
    """What compiled code says of the positions of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.refusals = dict(refusals(game))
        """The methods that cannot be compiled, and why."""
        self._kinds = {name: kind for name in game.ENTRY_POINTS or () if (kind := self._kind(name)) is not None}
        width = max((sum(map(_words, kind)) for kind in self._kinds.values()), default=0)
        self._rows = np.zeros((MOST_MOVES, width + 1), dtype=np.int64)
        self._numbers = {name: number for number, name in enumerate(self._kinds)}
        self._function = _asking(self._numbers)

    def _kind(self, name: str) -> list[types.Type] | None:
        """Return the types of the numbers in an answer; None if the method is not, or cannot be, compiled, or says
        other things.
        """
        if "initial" in self.refusals or name in self.refusals or (name == "play" and "moves" in self.refusals):
            return None
        if name == "initial":  # only Python calls it
            return None
        context, game = cpu_target.typing_context, native_type(self.game)
        arguments: dict[str, Any] = {"sum_bounds": (), "play": (state_type(context, game), types.int64)}
        try:
            kind = method_type(context, game, name, arguments.get(name, (state_type(context, game),)))
        except Exception:
            return None  # a default of Game's, over a method that cannot be compiled
        if name == "moves":
            kind = getattr(kind, "yield_type", None) or getattr(kind, "dtype", None)
        leaves = _leaves(kind)
        return leaves if all(isinstance(leaf, (types.Number, types.Boolean, CellsType)) for leaf in leaves) else None

    def knows(self, name: str) -> bool:
        """Return whether method ``name`` can be asked."""
        return name in self._kinds

    def ask(self, name: str, state: State, move: Move = 0) -> list[Any]:
        """Return the numbers in what method ``name`` says of a position; for ``moves``, all moves.

        Raises:
            CannotCompile: the position does not fit 64-bit numbers.
            Exception: the compiled method raised it.
        """
        inputs = (self._numbers[name], move, self._rows)
        count = entry(self._function)(self.game, bare_state(self.game, state), inputs)
        rows = self._rows[: min(count, MOST_MOVES)]
        kinds = self._kinds[name]
        return [number for row in rows.tolist() for number in _numbers(row, kinds)]


def _asking(methods: dict[str, int]) -> Any:
    """Return a function that calls the method with the given number and writes the answer into the rows."""
    lines = ["def ask(game, state, number, move, rows):"]
    calls = {"sum_bounds": "game.sum_bounds()", "play": "game.play(state, move)"}
    for name, number in methods.items():
        lines.append(f"    if number == {number}:")
        if name == "moves":
            lines.append("        count = 0")
            lines.append("        for each in game.moves(state):")
            lines.append("            if count < len(rows):")
            lines.append("                remember(rows, count, 0, each)")
            lines.append("            count += 1")
            lines.append("        return count")
        else:
            lines.append(f"        remember(rows, 0, 0, {calls.get(name, f'game.{name}(state)')})")
            lines.append("        return 1")
    lines.append("    return 0")
    scope = {"remember": remember, "__name__": __name__}
    exec("\n".join(lines), scope)
    return scope["ask"]


def _leaves(kind: Any) -> list[types.Type]:
    return [leaf for item in kind for leaf in _leaves(item)] if isinstance(kind, types.BaseTuple) else [kind]


def _words(kind: types.Type) -> int:
    """Return how many words an answer of this kind takes."""
    return block_words(kind.length) if isinstance(kind, CellsType) else 1


def _numbers(row: list[int], kinds: list[types.Type]) -> Iterator[Any]:
    """Yield the numbers in a row of words."""
    words = iter(row)
    for kind in kinds:
        if isinstance(kind, CellsType):
            block = struct.pack(f"{_words(kind)}q", *itertools.islice(words, _words(kind)))
            yield from struct.unpack_from(f"{kind.length}b", block)
        else:
            yield _number(next(words), kind)


def _number(word: int, kind: types.Type) -> Any:
    if isinstance(kind, types.Float):
        return struct.unpack("d", struct.pack("q", word))[0]
    return bool(word) if isinstance(kind, types.Boolean) else word
