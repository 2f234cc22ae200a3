"""The engine's machine code for any game, together with the compiled rules of one game.

It is compiled once a machine.  A new game then waits only for its rules.  It visits the same positions as specialised
code, at 60 to 90 % of the speed.
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
from plywise.compiling.reading import Arguments, compile_for, may_compile, only_compiling, specialised
from plywise.compiling.rules import Rule
from plywise.compiling.scores import set_number_kind
from plywise.compiling.words import leaves, plain_words, word_count
from plywise.engine import head_start
from plywise.engine.any_game import MOST_MOVES, REQUIRED, RULES, SOLVING, AnyGame, AnyRealGame
from plywise.engine.plan import OpenPlan, Plan
from plywise.game import Game
from plywise.layers import Chance

PLACES = 1 << 16
"""The most positions on a path, more than a search's stack of moves allows."""

LOOK = 1.0
"""Seconds between two looks for code for the game alone."""

SHARED_FROM = 6
"""From this many missing rules on, another process compiles some.  It takes as long to start as a few rules take."""

NUMBERS = ("score", "evaluate", "repetition")
"""The rules that decide whether scores are floats."""

MAY_BE_REAL = ("score", "evaluate", "bounds", "proven_bounds", "probability")
"""The rules that may return floats."""


class Rules:
    """The compiled rules of a type of games; an open type, so that they serve all sizes of a board."""

    def __init__(self, kind: NativeType, words: int) -> None:
        self.kind, self.words = kind, words
        self.rules: dict[str, Rule] = {}
        self.reals: dict[str, int] = {}
        """For each rule, which of its results are floats, as bits."""
        self._lock = threading.Lock()

    def wanted(self, names: Iterable[str]) -> list[str]:
        """Return the rules that are not compiled here yet, without those that are Game's defaults."""
        cls: Any = self.kind.facts.cls
        default = {name for name in RULES[REQUIRED:] if getattr(cls, name) is getattr(Game, name)}
        if cls.candidates is cls.moves:
            default.add("candidates")
        return [name for name in names if name not in self.rules and name not in default]

    def missing(self, names: Iterable[str]) -> list[str]:
        """Return the rules that are not compiled at all, here or on disk."""
        return [name for name in self.wanted(names) if not rules.is_made(self.kind, getattr(rules, name))]

    def compile(self, names: Iterable[str]) -> None:
        """Compile rules, except those that are compiled already and those that are Game's defaults."""
        cls: Any = self.kind.facts.cls
        with self._lock, watched(f"rules for {cls.__name__}", f"the rules for {cls.__name__}"):
            for name in self.wanted(names):
                rule = Rule(self.kind, getattr(rules, name))
                self.rules, self.reals = {**self.rules, name: rule}, {**self.reals, name: _reals(rule.result)}
        set_number_kind(self.kind, types.float64 if self.are_real else types.int64)

    @property
    def are_real(self) -> bool:
        """Whether scores are floats."""
        return self.kind.facts.cls.REAL_VALUES or any(self.reals.get(name, 0) for name in NUMBERS)

    @property
    def have_form(self) -> bool:
        """Whether ``AnyGame`` can call them: whether those rules return integers that it takes for integers."""
        return not any(reals for name, reals in self.reals.items() if name not in MAY_BE_REAL)

    def stand_in(self, game: Game, real: bool, roots_count: int) -> tuple[AnyGame, np.ndarray]:
        """Return a game for the compiled engine, with float scores if ``real``, and the addresses of its roots."""
        positions = np.empty((roots_count + PLACES, self.words), dtype=np.int64)
        found = np.empty(MOST_MOVES, dtype=np.int64)
        stride, start = positions.strides[0], positions.ctypes.data
        roots = start + stride * np.arange(roots_count)
        stand_in = (AnyRealGame if real else AnyGame)(
            addresses=np.array([self.rules[n].address if n in self.rules else 0 for n in RULES], dtype=np.int64),
            reals=np.array([self.reals.get(name, 0) for name in RULES], dtype=np.int64),
            positions=positions, found=found, block=block_address(game), stride=stride, last_root=int(roots[-1]),
            end=start + positions.nbytes, moves_at=found.ctypes.data, swing=float(game.swing),
            win_score=float(game.win_score),
        )  # fmt: skip
        return stand_in, roots

    def place(self, stand_in: AnyGame, roots: np.ndarray, rows: Any) -> None:
        """Write the root positions, given as rows of words."""
        stand_in.positions[: len(rows), 1:] = rows
        for root in roots.tolist():
            self.rules["start"].call(stand_in.block, root, 0, root)


_rules = functools.cache(Rules)


def rules_of(game: Game) -> Rules:
    """Return the rules of a game; some of them may be compiled already."""
    return _rules(native_type(game, is_open=True), 1 + word_count(game.initial()))


def _reals(kind: types.Type) -> int:
    """Return which numbers of a type are floats, as bits."""
    return sum(1 << place for place, leaf in enumerate(leaves(kind)) if isinstance(leaf, types.Float))


class AnyGameCode:
    """Machine code of ``function(game, state, *arguments)`` for any game, with the rules of one.

    Callers use it like specialised code: both take the game, the position and the arguments.
    """

    def __init__(self, function: Any, rules: Rules, real: bool, inputs: tuple[Any, ...]) -> None:
        self.takes_rows, self.rules, self.real = takes_rows(function), rules, real
        self.local = threading.local()
        self.looked = time.monotonic()
        """When somebody last looked for code for the game alone."""
        compiled, kinds = entry(function), any_kinds(function, rules, real, inputs)
        compile_for(compiled, kinds)
        self.code = compiled.overloads[kinds].entry_point

    def __call__(self, game: Game, fields: Any, arguments: tuple[Any, ...]) -> Any:
        rows = arguments[0] if self.takes_rows else [plain_words(fields, game.initial())]
        kept = self.local
        if self.takes_rows or getattr(kept, "game", None) is not game:
            kept.game, (kept.stand_in, kept.roots) = game, self.rules.stand_in(game, self.real, len(rows))
        self.rules.place(kept.stand_in, kept.roots, rows)
        return self.code(kept.stand_in, int(kept.roots[0]), _translated(arguments, kept.roots, self.takes_rows))


def any_kinds(function: Any, rules: Rules, real: bool, inputs: tuple[Any, ...]) -> tuple[types.Type, ...]:
    """Return the types for which an entry is compiled to serve any game."""
    game, _, arguments = inputs
    stand_in, roots = rules.stand_in(game, real, 1)
    return kinds_of(stand_in, int(roots[0]), _translated(arguments, roots, takes_rows(function)))


def _translated(arguments: tuple[Any, ...], roots: np.ndarray, rows: bool) -> tuple[Any, ...]:
    """Return the arguments for the code for any game; if ``rows``, the first ones are the positions."""
    arguments = tuple(OpenPlan.like(each) if isinstance(each, Plan) else each for each in arguments)
    return (roots.reshape(-1, 1), *arguments[1:]) if rows else arguments


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


def alone(real: bool, function: Any, game: Game, fields: Any, arguments: Arguments) -> Any:
    """Return code for any game without the rules of one: it cannot be called, but is on disk from now on."""
    return AnyGameCode(function, Rules(native_type(game), 2), real, (game, fields, arguments()))


def general(function: Any, game: Game, fields: Any, arguments: Arguments) -> Any:
    """Return code for any game, or for this game alone if ``AnyGame`` cannot stand in for it."""
    rules, name = rules_of(game), type(game).__name__
    anew = _begin_anew(function, rules, game, fields, arguments)
    what = f"the engine and the rules for {name}" if anew else f"the rules for {name}"
    if not anew and not only_compiling() and len(missing := rules.missing(_names(function))) >= SHARED_FROM:
        head_start.share_rules(game, missing)
    with watched(f"{'everything' if anew else 'rules'} for {name}", what):
        rules.compile(_names(function))
        if not rules.have_form:
            return specialised(function, game, fields, arguments)
        inputs = (game, fields, arguments())
        known = _key(entry(function), inputs)
        if known not in _general:
            _general[known] = AnyGameCode(function, rules, rules.are_real, inputs)
        return _general[known]


def _key(compiled: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the key of ``_general``.  Games that share code for the game alone may differ in which numbers are theirs
    and which are their class's, and then have other rules.
    """
    return compiled, kind_of(inputs), native_type(inputs[0], is_open=True)


def _begin_anew(function: Any, rules: Rules, game: Game, fields: Any, arguments: Arguments) -> bool:
    """Return whether both rules and code are missing; if so, begin to make the code in another process."""
    if "start" in rules.rules or not may_compile() or takes_rows(function):
        return False
    methods = (type(game).score, type(game).evaluate)
    dice = isinstance(game, Chance)
    real = dice or any(method.__annotations__.get("return") in (float, "float") for method in methods)
    if is_ready(function, any_kinds(function, rules, real, (game, fields, arguments()))):
        return False
    head_start.begin(_names(function) is SOLVING, real, dice)
    return True


def quickest(function: Any, game: Game, fields: Any, arguments: Arguments) -> Any:
    """Return code for this game alone if there is some, in this process or on disk; else code for any game."""
    if takes_rows(function):
        rules_of(game).compile(NUMBERS)  # so that the type of scores, and of the arguments, is known
    compiled, inputs = entry(function), (game, fields, arguments())
    known = _general.get(_key(compiled, inputs))
    if known is not None and time.monotonic() < known.looked + LOOK:
        return known
    if machine_code(compiled, inputs) is not None:
        return compiled
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
