"""The engine's machine code for any game, together with the compiled rules of one game.

It is compiled once a machine.  A new game then waits only for its rules, and searches at about 60 % of the speed of
specialised code, with the same results.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numba import types

from plywise.compiling import reading, rules
from plywise.compiling.bridge import entry, is_ready, kinds_of
from plywise.compiling.machine_code import kind_of, machine_code
from plywise.compiling.native_types import NativeType, block_address, native_type
from plywise.compiling.progress import watched
from plywise.compiling.reading import Arguments, compile_for, specialised
from plywise.compiling.rules import Rule
from plywise.compiling.scores import set_number_kind
from plywise.compiling.words import leaves, plain_words, word_count
from plywise.engine.any_game import MOST_MOVES, REQUIRED, RULES, SOLVING, AnyGame, AnyRealGame
from plywise.engine.plan import OpenPlan, Plan
from plywise.game import Game

PLACES = 1 << 16
"""The most positions on a path.  Solving has no limit but memory; a place that is not used takes none."""

LOOK = 1.0
"""Seconds between two looks for code on disk."""

MAY_BE_REAL = ("score", "evaluate", "bounds", "proven_bounds")
"""The rules that may return floats."""


class Rules:
    """The compiled rules of a type of games; an open type, so that they serve all sizes of a board."""

    def __init__(self, kind: NativeType, words: int) -> None:
        self.kind, self.words = kind, words
        self.rules: dict[str, Rule] = {}
        self.reals: dict[str, int] = {}
        """For each rule, which of its results are floats, as bits."""

    def compile(self, names: Iterable[str]) -> None:
        """Compile rules, except those that are compiled already and those that are Game's defaults."""
        cls: Any = self.kind.facts.cls
        default = {name for name in RULES[REQUIRED:] if getattr(cls, name) is getattr(Game, name)}
        if cls.candidates is cls.moves:
            default.add("candidates")
        with watched(f"rules for {cls.__name__}", f"the rules for {cls.__name__}"):
            for name in names:
                if name not in self.rules and name not in default:
                    self.rules[name] = Rule(self.kind, getattr(rules, name))
                    self.reals[name] = _reals(self.rules[name].result)
        set_number_kind(self.kind, types.float64 if self.are_real else types.int64)

    @property
    def are_real(self) -> bool:
        """Whether scores are floats."""
        return any(self.reals.get(name, 0) for name in ("score", "evaluate"))

    @property
    def have_form(self) -> bool:
        """Whether ``AnyGame`` can call them: whether those rules return integers that it takes for integers."""
        return not any(self.reals[name] for name in self.rules if name not in MAY_BE_REAL)

    def stand_in(self, game: Game, rows: Any) -> tuple[AnyGame, np.ndarray]:
        """Return a game for the compiled engine, and the addresses of its root positions, given as rows of words."""
        positions = np.empty((len(rows) + PLACES, self.words), dtype=np.int64)
        found = np.empty(MOST_MOVES, dtype=np.int64)
        stride, start = positions.strides[0], positions.ctypes.data
        roots = start + stride * np.arange(len(rows))
        stand_in = (AnyRealGame if self.are_real else AnyGame)(
            addresses=np.array([self.rules[n].address if n in self.rules else 0 for n in RULES], dtype=np.int64),
            reals=np.array([self.reals.get(name, 0) for name in RULES], dtype=np.int64),
            positions=positions, found=found, block=block_address(game), stride=stride, last_root=int(roots[-1]),
            end=start + positions.nbytes, moves_at=found.ctypes.data, swing=float(game.swing),
            win_score=float(game.win_score),
        )  # fmt: skip
        self.place(stand_in, roots, rows)
        return stand_in, roots

    def place(self, stand_in: AnyGame, roots: np.ndarray, rows: Any) -> None:
        """Write the root positions."""
        stand_in.positions[: len(rows), 1:] = rows
        for root in roots.tolist():
            self.rules["start"].call(stand_in.block, root, 0, root)


_rules = functools.cache(Rules)


def rules_of(game: Game, names: Iterable[str]) -> Rules:
    """Return the compiled rules of a game, among them those named."""
    found = _rules(native_type(game, is_open=True), 1 + word_count(game.initial()))
    found.compile(names)
    return found


def _reals(kind: types.Type) -> int:
    """Return which numbers of a type are floats, as bits."""
    return sum(1 << place for place, leaf in enumerate(leaves(kind)) if isinstance(leaf, types.Float))


class AnyGameCode:
    """Machine code of ``function(game, state, *arguments)`` for any game, with the rules of one.

    Callers use it like specialised code: both take the game, the position and the arguments.
    """

    def __init__(self, function: Any, rules: Rules, inputs: tuple[Any, ...]) -> None:
        self.takes_rows, self.rules = takes_rows(function), rules
        self.local = threading.local()
        self.looked = time.monotonic()
        """When somebody last looked for code for the game alone."""
        compiled, kinds = entry(function), kinds_of(*self._translated(*inputs))
        compile_for(compiled, kinds)
        self.code = compiled.overloads[kinds].entry_point

    def __call__(self, game: Game, fields: Any, arguments: tuple[Any, ...]) -> Any:
        return self.code(*self._translated(game, fields, arguments))

    def _translated(self, game: Game, fields: Any, arguments: tuple[Any, ...]) -> tuple[AnyGame, int, tuple[Any, ...]]:
        arguments = tuple(OpenPlan.like(each) if isinstance(each, Plan) else each for each in arguments)
        if self.takes_rows:
            stand_in, roots = self.rules.stand_in(game, arguments[0])
            return stand_in, int(roots[0]), (roots.reshape(-1, 1), *arguments[1:])
        row = [plain_words(fields, game.initial())]
        if getattr(self.local, "game", None) is game:
            self.rules.place(self.local.stand_in, self.local.roots, row)
        else:
            self.local.stand_in, self.local.roots = self.rules.stand_in(game, row)
            self.local.game = game
        return self.local.stand_in, int(self.local.roots[0]), arguments


def takes_rows(function: Any) -> bool:
    """Return whether the first argument of an entry is a list of positions, as rows."""
    return bool(function.__code__.co_varnames[2] == "rows")


def _names(function: Any) -> Iterable[str]:
    """Return the names of the rules that an entry of the engine may call."""
    return SOLVING if function.__module__ in ("plywise.engine.exact", "plywise.engine.first_best") else RULES


# ---------------------------------------------------------------------------------------------------------------------
# Which code
# ---------------------------------------------------------------------------------------------------------------------

_general: dict[Any, AnyGameCode] = {}


def general(function: Any, game: Game, fields: Any, arguments: Arguments) -> Any:
    """Return code for any game, or for this game alone if ``AnyGame`` cannot stand in for it."""
    rules = rules_of(game, _names(function))
    if not rules.have_form:
        return specialised(function, game, fields, arguments)
    inputs = (game, fields, arguments())
    known = (entry(function), kind_of(inputs))
    if known not in _general:
        _general[known] = AnyGameCode(function, rules, inputs)
    return _general[known]


def quickest(function: Any, game: Game, fields: Any, arguments: Arguments) -> Any:
    """Return code for this game alone if there is some, in this process or on disk; else code for any game."""
    if takes_rows(function):
        rules_of(game, _names(function))  # so that the type of scores, and of the arguments, is known
    compiled, inputs = entry(function), (game, fields, arguments())
    if machine_code(compiled, inputs) is not None:
        return compiled
    known = _general.get((compiled, kind_of(inputs)))
    if known is not None and time.monotonic() < known.looked + LOOK:
        return known
    if is_ready(function, kinds_of(*inputs)):
        return specialised(function, game, fields, arguments)
    if known is not None:
        known.looked = time.monotonic()
    return general(function, game, fields, arguments)


_maker: contextvars.ContextVar[Callable[..., Any]] = contextvars.ContextVar("maker", default=quickest)


@contextlib.contextmanager
def made_by(maker: Callable[..., Any]) -> Iterator[None]:
    """Get the engine's code in this context from ``specialised``, ``general`` or ``quickest``, the default."""
    token = _maker.set(maker)
    try:
        yield
    finally:
        _maker.reset(token)


def prepare(function: Any, game: Game, state: Any, arguments: Arguments) -> Any:
    """Compile an entry of the engine for ``run``, as ``reading.prepare`` does for other entries."""
    return reading.prepare(function, game, state, arguments, _maker.get())
