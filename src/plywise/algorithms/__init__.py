"""The textbook: one file an algorithm, each a page that reads like its pseudo-code; and the list of all algorithms.

The functions in these files are plain Python, ``f(game, state, depth, ..., watch)``, to read, copy and call.  The names
exported here do the rest: ``alphabeta(game, depth=8)`` compiles the function for the game, runs it, and returns a
``Result``, just like ``plywise.search(game, algorithm="alphabeta", depth=8)``.

``ALGORITHMS`` also lists the searches that live in the engine; their code is imported on first use.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from plywise.algorithms.algorithm import REQUIRED, Algorithm, Elsewhere, Textbook
from plywise.algorithms.alphabeta import alphabeta as _alphabeta
from plywise.algorithms.alphabeta import alphabeta_hard as _alphabeta_hard
from plywise.algorithms.aspiration import aspiration as _aspiration
from plywise.algorithms.best_reply import best_reply as _best_reply
from plywise.algorithms.boolean import boolean as _boolean
from plywise.algorithms.early_stop import early_stop as _early_stop
from plywise.algorithms.expectimaxn import expectimaxn as _expectimaxn
from plywise.algorithms.expectiminimax import expectiminimax as _expectiminimax
from plywise.algorithms.maxn import maxn as _maxn
from plywise.algorithms.memo import memo as _memo
from plywise.algorithms.minimax import minimax as _minimax
from plywise.algorithms.minimax_single import minimax_single as _minimax_single
from plywise.algorithms.mtdf import mtdf as _mtdf
from plywise.algorithms.negamax import negamax as _negamax
from plywise.algorithms.negamax_alphabeta import negamax_alphabeta as _negamax_alphabeta
from plywise.algorithms.negamax_alphabeta import negamax_alphabeta_hard as _negamax_alphabeta_hard
from plywise.algorithms.negamax_sign import negamax_sign as _negamax_sign
from plywise.algorithms.paranoid import paranoid as _paranoid
from plywise.algorithms.pvs import pvs as _pvs
from plywise.algorithms.satisficing import satisficing as _satisficing
from plywise.algorithms.scout import scout as _scout
from plywise.algorithms.star1 import star1 as _star1
from plywise.algorithms.star2 import star2 as _star2
from plywise.errors import SearchError
from plywise.game import Game
from plywise.layers import Playouts

WINDOW = {"alpha": -math.inf, "beta": math.inf}
WINDOW_AND_RULE = {**WINDOW, "strict": False}
MEMO = {"table_mb": 64.0}

minimax = Textbook("minimax", cuts="never", function=_minimax)
minimax_single = Textbook("minimax_single", cuts="never", function=_minimax_single)
negamax = Textbook("negamax", "mover", cuts="never", function=_negamax)
negamax_sign = Textbook("negamax_sign", "mover", cuts="never", function=_negamax_sign)
early_stop = Textbook("early_stop", cuts="best score", function=_early_stop)
satisficing = Textbook(
    "satisficing", cuts="good enough", function=_satisficing, defaults={"low": -math.inf, "high": math.inf}
)
boolean = Textbook(
    "boolean", "answer", cuts="one answer", function=_boolean, defaults={"goal": REQUIRED, "strict": False}
)
alphabeta = Textbook("alphabeta", function=_alphabeta, defaults=WINDOW_AND_RULE)
alphabeta_hard = Textbook("alphabeta_hard", function=_alphabeta_hard, defaults=WINDOW_AND_RULE)
negamax_alphabeta = Textbook("negamax_alphabeta", "mover", function=_negamax_alphabeta, defaults=WINDOW_AND_RULE)
negamax_alphabeta_hard = Textbook(
    "negamax_alphabeta_hard", "mover", function=_negamax_alphabeta_hard, defaults=WINDOW_AND_RULE
)
scout = Textbook("scout", cuts="one answer", function=_scout)
pvs = Textbook("pvs", "mover", function=_pvs, defaults=WINDOW)
memo = Textbook("memo", "mover", function=_memo, defaults={**WINDOW, **MEMO})
mtdf = Textbook("mtdf", "mover", function=_mtdf, defaults={"guess": 0.0, **MEMO})
aspiration = Textbook("aspiration", function=_aspiration, defaults={"guess": 0.0, "margin": 1.0, "strict": False})
expectiminimax = Textbook("expectiminimax", cuts="never", takes_chance=True, function=_expectiminimax)
star1 = Textbook("star1", takes_chance=True, function=_star1, defaults=WINDOW)
star2 = Textbook("star2", takes_chance=True, function=_star2, defaults=WINDOW)
maxn = Textbook("maxn", "scores", cuts="shares", function=_maxn)
paranoid = Textbook("paranoid", "scores", coalition=True, function=_paranoid)
best_reply = Textbook("best_reply", "scores", coalition=True, function=_best_reply)
expectimaxn = Textbook("expectimaxn", "scores", cuts="never", takes_chance=True, function=_expectimaxn)

engine = Elsewhere(
    "engine", needs_limit=True, keeps_clock=True, whole_moves=True, minds_path=True, takes_chance=True,
    home="plywise.engine.engine.search_once", more_options="plywise.engine.plan.OPTIONS",
)  # fmt: skip
mcts = Elsewhere(
    "mcts", cuts="never", has_depth=False, keeps_clock=True, takes_chance=True, home="plywise.engine.mcts.mcts_search"
)
jamboree = Elsewhere(
    "jamboree", needs_limit=True, whole_moves=True, minds_path=True, home="plywise.engine.parallel.jamboree"
)
parallel_minimax = Elsewhere(
    "parallel_minimax", cuts="never", needs_limit=True, whole_moves=True,
    home="plywise.engine.parallel.parallel_minimax",
)  # fmt: skip

TEXTBOOK: Mapping[str, Textbook] = MappingProxyType(
    {
        algorithm.name: algorithm
        for algorithm in (
            minimax, minimax_single, negamax, negamax_sign, early_stop, satisficing, boolean,
            alphabeta, alphabeta_hard, negamax_alphabeta, negamax_alphabeta_hard,
            scout, pvs, memo, mtdf, aspiration, expectiminimax, star1, star2, maxn, paranoid, best_reply,
            expectimaxn,
        )
    }
)  # fmt: skip
"""The textbook algorithms by name; these can be recorded and drawn."""

ALGORITHMS: Mapping[str, Algorithm] = MappingProxyType(
    {**{algorithm.name: algorithm for algorithm in (engine, mcts, jamboree, parallel_minimax)}, **TEXTBOOK}
)
"""All algorithms by name."""

ALIASES = MappingProxyType({"negascout": "pvs", "expecti_maxn": "expectimaxn"})


def algorithm_named(name: str) -> Algorithm:
    """Return the algorithm with this name or alias; case does not matter, and hyphens count as underscores.

    Raises:
        SearchError: there is none; the message lists all algorithms.

    >>> algorithm_named("Parallel-Minimax").name, algorithm_named("negascout").name
    ('parallel_minimax', 'pvs')
    """
    plain = name.strip().lower().replace("-", "_")
    found = ALGORITHMS.get(ALIASES.get(plain, plain))
    if found is None:
        raise SearchError(f"there is no algorithm {name!r}; there are: {', '.join(ALGORITHMS)}")
    return found


def usual_algorithm(game: Game, preferred: Algorithm | None = None) -> Algorithm:
    """Return the preferred algorithm if it suits the game, else the textbook's best one that does.

    >>> import plywise as pw
    >>> usual_algorithm(pw.games.TicTacToe()).name, usual_algorithm(pw.games.DogCatMouse()).name
    ('memo', 'maxn')
    """
    return next(each for each in (preferred, memo, star2, maxn, expectimaxn) if each is not None and each.suits(game))


def plays_by_playouts(game: Game) -> bool:
    """Return whether Monte Carlo tree search plays a game, unless another algorithm is chosen.

    >>> import plywise as pw
    >>> plays_by_playouts(pw.games.Chess())
    False
    """
    return isinstance(game, Playouts) and mcts.suits(game)


def plays_by_engine(game: Game, depth: int | None = None) -> bool:
    """Return whether the engine plays a game, to a depth if given; the others are left to ``search``."""
    return engine.suits(game) and (depth is not None or not plays_by_playouts(game))


from plywise.algorithms.enumeration import outcomes, perft, terminal_states  # noqa: E402

ELSEWHERE = MappingProxyType({"prove": "plywise.proof.prove"})
"""Functions that need the engine but do not search for a value; imported on first use."""


def __getattr__(name: str) -> Any:
    if name not in ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(ELSEWHERE[name]), name)


__all__ = [
    "ALGORITHMS", "REQUIRED", "TEXTBOOK", "Algorithm", "Elsewhere", "Textbook", "algorithm_named", "alphabeta",
    "alphabeta_hard", "aspiration", "best_reply", "boolean", "early_stop", "engine", "expectimaxn", "expectiminimax",
    "jamboree", "maxn", "mcts", "memo", "minimax", "minimax_single", "mtdf", "negamax", "negamax_alphabeta",
    "negamax_alphabeta_hard", "negamax_sign", "outcomes", "parallel_minimax", "paranoid", "perft", "plays_by_engine",
    "plays_by_playouts", "pvs", "satisficing", "scout", "star1", "star2", "terminal_states", "usual_algorithm",
]  # fmt: skip
