"""The margins of selective search: how far ahead is far enough, and how much less deep a doubtful move is searched.

They are numbers that compiled code reads at run time, so they can be tuned by playing (``plywise tune --search``).  An
engine takes those of its game (``Tactics.margins``), unless it is given others.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plywise.errors import SearchError
from plywise.game import Game
from plywise.inputs.limits import is_number

if TYPE_CHECKING:
    from plywise.engine.work import Work

MOST_MARGIN = 1e6
"""No margin is larger; this one turns off whatever needs to exceed it."""

MOST_REDUCED = 64
"""The size of the table of reductions: larger depths and move numbers share its last row and column."""


class Margin(NamedTuple):
    """A number of the search, and the range in which to look for a better one."""

    default: float
    least: float
    most: float
    meaning: str


MARGINS: dict[str, Margin] = {
    "futility": Margin(0.75, 0.3, 2.0, "reverse futility: swings above beta that each remaining ply needs"),
    "razor": Margin(1.0, 0.0, 4.0, "razoring: swings below alpha at depth 0"),
    "razor_ply": Margin(2.0, 0.5, 5.0, "razoring: more swings for each ply"),
    "null": Margin(4.0, 2.0, 7.0, "null move: plies taken off"),
    "null_depth": Margin(0.25, 0.0, 0.6, "null move: further plies taken off for each remaining ply"),
    "null_surplus": Margin(0.5, 0.0, 1.5, "null move: further plies taken off for each swing above beta"),
    "late": Margin(3.0, 1.0, 10.0, "late-move pruning: quiet moves that are searched in any case"),
    "late_depth": Margin(1.0, 0.4, 2.5, "late-move pruning: more of them, times the depth squared"),
    "quiet": Margin(1.0, 0.2, 4.0, "futility pruning of quiet moves: swings below alpha at depth 0"),
    "quiet_ply": Margin(1.0, 0.3, 3.0, "futility pruning of quiet moves: more swings for each ply"),
    "history": Margin(
        0.25, 0.05, 1.0, "quiet moves are pruned by history: below minus this share of the largest, for each ply"
    ),
    "bad_quiet": Margin(0.25, 0.05, 1.0, "exchanges: swings that a quiet move may lose, times the depth squared"),
    "bad_noisy": Margin(1.0, 0.3, 3.0, "exchanges: swings that a noisy move may lose for each ply"),
    "delta": Margin(2.0, 0.5, 5.0, "quiescence: swings by which an exchange may fail to reach alpha"),
    "reduction": Margin(0.8, 0.0, 2.0, "late-move reduction: plies"),
    "reduction_slope": Margin(1 / 2.3, 0.2, 0.8, "late-move reduction: plies times the logarithms of depth and number"),
    "reduction_history": Margin(2.0, 0.5, 6.0, "late-move reduction: plies for the largest history"),
    "expected_cut": Margin(1.0, 0.0, 3.0, "late-move reduction: more plies where a cutoff is expected"),
    "deeper": Margin(0.5, 0.1, 3.0, "if a reduced search beats the best move by more swings, search a ply more"),
    "shallower": Margin(0.08, 0.0, 0.5, "if a reduced search beats the best move by fewer swings, search a ply less"),
    "singular": Margin(0.025, 0.005, 0.1, "singular extension: swings below the table's value for each ply"),
    "doubly": Margin(0.2, 0.02, 1.5, "singular extension: more swings below it for two plies"),
    "probcut": Margin(1.8, 0.8, 4.0, "ProbCut: swings above beta"),
}
"""All margins, by name; swings are those of the game (``Tactics.swing``)."""

(
    FUTILITY, RAZOR, RAZOR_PLY, NULL, NULL_DEPTH, NULL_SURPLUS, LATE, LATE_DEPTH, QUIET, QUIET_PLY, HISTORY, BAD_QUIET,
    BAD_NOISY, DELTA, REDUCTION, REDUCTION_SLOPE, REDUCTION_HISTORY, EXPECTED_CUT, DEEPER,
    SHALLOWER, SINGULAR, DOUBLY, PROBCUT,
) = range(len(MARGINS))  # fmt: skip
"""Places in ``Work.margins``."""


def margins_for(game: Game, given: Mapping[str, float] | str | Path | None) -> dict[str, float]:
    """Return the margins for a game: its own, changed by those given as a mapping, or in a file of ``plywise tune``.

    Raises:
        SearchError: there is no such file or margin, or a number is negative or too large.
    """
    if isinstance(given, (str, Path)):
        given = read_margins(Path(given))
    if given is not None and not isinstance(given, Mapping):
        raise SearchError(f"margins={given!r} must be the name of a file, or numbers by name")
    chosen = {name: margin.default for name, margin in MARGINS.items()}
    for name, value in (*game.margins().items(), *(given or {}).items()):
        if name not in MARGINS:
            raise SearchError(f"there is no margin {name!r}; there are: {', '.join(MARGINS)}")
        if not (is_number(value) and 0 <= value <= MOST_MARGIN):
            raise SearchError(f"margin {name}={value!r} must be a number from 0 to {MOST_MARGIN:,.0f}")
        chosen[name] = float(value)
    return chosen


def read_margins(path: Path) -> Mapping[str, float]:
    """Return the margins in a file.

    Raises:
        SearchError: the file cannot be read, or has no margins.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["margins"]
    except OSError as wrong:
        raise SearchError(f"cannot read margins from {str(path)!r}: {wrong.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        found = None
    if not isinstance(found, dict):
        example = '{"margins": {"late": 4}}'
        raise SearchError(f"{str(path)!r} has no margins, as in {example}: 'plywise tune --search' writes such files")
    return found


def use_margins(works: Iterable[Work], chosen: Mapping[str, float]) -> None:
    """Let workspaces search with these margins."""
    for work in works:
        work.margins[:] = [chosen[name] for name in MARGINS]
        work.reductions[:] = reductions(chosen["reduction"], chosen["reduction_slope"])


def reductions(base: float, slope: float) -> np.ndarray:
    """Return the table of late-move reductions: the later the move and the greater the depth, the more."""
    grown = np.log(np.maximum(1, np.arange(MOST_REDUCED)))
    table: np.ndarray[Any, Any] = base + np.outer(grown, grown) * slope
    return table


def usual_margins() -> list[float]:
    """Return all margins of a game that has none of its own."""
    return [margin.default for margin in MARGINS.values()]


@functools.cache
def usual_reductions() -> np.ndarray:
    """Return the reductions that follow from these."""
    return reductions(MARGINS["reduction"].default, MARGINS["reduction_slope"].default)
