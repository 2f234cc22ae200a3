"""The textbook: one file an algorithm, each a page that reads like its pseudo-code.

The functions in these files are plain Python, ``f(game, state, depth, ..., watch)``, and can be read, copied and called
as such.  The names exported here take care of the rest: ``alphabeta(game, depth=8)`` compiles the function for the
game, runs it, and returns a ``Result``, just like ``plywise.search(game, algorithm="alphabeta", depth=8)``.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from plywise.algorithms.alphabeta import alphabeta as _alphabeta
from plywise.algorithms.alphabeta import alphabeta_hard as _alphabeta_hard
from plywise.algorithms.aspiration import aspiration as _aspiration
from plywise.algorithms.boolean import boolean as _boolean
from plywise.algorithms.early_stop import early_stop as _early_stop
from plywise.algorithms.maxn import maxn as _maxn
from plywise.algorithms.memo import memo as _memo
from plywise.algorithms.minimax import minimax as _minimax
from plywise.algorithms.minimax_single import minimax_single as _minimax_single
from plywise.algorithms.mtdf import mtdf as _mtdf
from plywise.algorithms.negamax import negamax as _negamax
from plywise.algorithms.negamax_alphabeta import negamax_alphabeta as _negamax_alphabeta
from plywise.algorithms.negamax_alphabeta import negamax_alphabeta_hard as _negamax_alphabeta_hard
from plywise.algorithms.negamax_sign import negamax_sign as _negamax_sign
from plywise.algorithms.pvs import pvs as _pvs
from plywise.algorithms.satisficing import satisficing as _satisficing
from plywise.algorithms.scout import scout as _scout
from plywise.errors import SearchError
from plywise.game import Game, State

View = Literal["max", "mover", "scores", "boolean"]

REQUIRED = object()
"""Default of an option that must be given."""


@dataclasses.dataclass(frozen=True)
class Algorithm:
    """A function of the textbook with what a caller must know of it."""

    name: str
    function: Callable[..., Any]
    view: View
    """What the function returns: MAX's value, the mover's, everybody's scores, or yes or no."""
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """What may be set besides the depth, with defaults.  Scores among them are MAX's."""

    @property
    def summary(self) -> str:
        """What it is, in a line: the beginning of its file."""
        text = inspect.getdoc(sys.modules[self.function.__module__]) or ""
        return text.partition("\n")[0].rstrip(".")

    @property
    def uses_table(self) -> bool:
        return "table" in self.parameters

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the function's parameters between the depth and the watcher."""
        code = self.function.__code__
        return code.co_varnames[3 : code.co_argcount - 1]  # after game, state and depth; before watch

    def worth(self, game: Game, state: State) -> Any:
        """Return what this algorithm sees at a leaf: the score of a finished game, or an estimate; or everybody's."""
        over = game.is_terminal(state)
        if self.view == "scores":
            return tuple(game.scores(state) if over else game.estimates(state))
        return game.score(state) if over else game.evaluate(state)

    def __call__(self, game: Game, state: State | str | None = None, depth: int | None = None, **options: Any) -> Any:
        """Search ``state`` (default: the initial position) to ``depth`` (default: the end).  Returns a ``Result``."""
        from plywise.search import search

        return search(game, state, depth=depth, algorithm=self.name, **options)


WINDOW = {"alpha": -math.inf, "beta": math.inf}
WINDOW_AND_RULE = {**WINDOW, "strict": False}

minimax = Algorithm("minimax", _minimax, "max")
minimax_single = Algorithm("minimax_single", _minimax_single, "max")
negamax = Algorithm("negamax", _negamax, "mover")
negamax_sign = Algorithm("negamax_sign", _negamax_sign, "mover")
early_stop = Algorithm("early_stop", _early_stop, "max")
satisficing = Algorithm("satisficing", _satisficing, "max", {"low": -math.inf, "high": math.inf})
boolean = Algorithm("boolean", _boolean, "boolean", {"goal": REQUIRED, "strict": False})
alphabeta = Algorithm("alphabeta", _alphabeta, "max", WINDOW_AND_RULE)
alphabeta_hard = Algorithm("alphabeta_hard", _alphabeta_hard, "max", WINDOW_AND_RULE)
negamax_alphabeta = Algorithm("negamax_alphabeta", _negamax_alphabeta, "mover", WINDOW_AND_RULE)
negamax_alphabeta_hard = Algorithm(
    "negamax_alphabeta_hard", _negamax_alphabeta_hard, "mover", {**WINDOW, "strict": False}
)
scout = Algorithm("scout", _scout, "max")
pvs = Algorithm("pvs", _pvs, "mover", WINDOW)
memo = Algorithm("memo", _memo, "mover", {**WINDOW, "table_mb": 64.0})
mtdf = Algorithm("mtdf", _mtdf, "mover", {"guess": 0.0, "table_mb": 64.0})
aspiration = Algorithm("aspiration", _aspiration, "max", {"guess": 0.0, "margin": 1.0, "strict": False})
maxn = Algorithm("maxn", _maxn, "scores")

ALGORITHMS: Mapping[str, Algorithm] = MappingProxyType(
    {
        algorithm.name: algorithm
        for algorithm in (
            minimax, minimax_single, negamax, negamax_sign, early_stop, satisficing, boolean,
            alphabeta, alphabeta_hard, negamax_alphabeta, negamax_alphabeta_hard,
            scout, pvs, memo, mtdf, aspiration, maxn,
        )
    }
)  # fmt: skip
"""All algorithms by name."""

ALIASES = MappingProxyType({"negascout": "pvs"})


def algorithm_named(name: str, besides: tuple[str, ...] = ()) -> Algorithm:
    """Return the algorithm of this name; hyphens count as underscores.

    Args:
        name: one of ``ALGORITHMS``, or another name for one.
        besides: names of what else the caller knows, for the message.

    Raises:
        SearchError: there is none; the message lists those that there are.
    """
    plain = name.strip().lower().replace("-", "_")
    found = ALGORITHMS.get(ALIASES.get(plain, plain))
    if found is None:
        raise SearchError(f"there is no algorithm {name!r}; there are: {', '.join([*ALGORITHMS, *besides])}")
    return found


from plywise.algorithms.counting import outcomes, perft, terminal_states  # noqa: E402

ELSEWHERE = MappingProxyType({"prove": "plywise.proof.prove"})
"""Algorithms that need the engine, and where they are: they are imported when first asked for."""


def __getattr__(name: str) -> Any:
    if name not in ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(ELSEWHERE[name]), name)


__all__ = [
    "ALGORITHMS", "Algorithm", "algorithm_named", "alphabeta", "alphabeta_hard", "aspiration", "boolean",
    "early_stop", "maxn", "memo", "minimax", "minimax_single", "mtdf", "negamax", "negamax_alphabeta",
    "negamax_alphabeta_hard", "negamax_sign", "outcomes", "perft", "pvs", "satisficing", "scout",
    "terminal_states",
]  # fmt: skip
