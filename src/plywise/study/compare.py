"""Algorithms side by side on one position: what each found, what it cost, and what theory predicts."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from plywise.algorithms import ALGORITHMS, algorithm_named
from plywise.errors import PlywiseError, SearchError
from plywise.game import Game, State
from plywise.inputs.chance import check_certain
from plywise.inputs.positions import check_zero_sum, position
from plywise.layers import Chance, path_matters
from plywise.result import Result
from plywise.search import search
from plywise.study.survey import TreeSize, suitable_algorithms, tree_size

USUAL_ALGORITHMS = ("minimax", "early_stop", "alphabeta", "scout", "pvs", "memo", "mtdf", "aspiration")
"""The algorithms compared by default: one for each idea."""


class Disagreement(PlywiseError):
    """Algorithms that must find the same value did not: one of them, or the game, has a bug."""

    def __init__(self, comparison: Comparison) -> None:
        found = ", ".join(f"{result.algorithm} {result.value}" for result in comparison.results)
        super().__init__(f"THE ALGORITHMS DISAGREE on the value: {found}; this is a bug in plywise or in the game")
        self.comparison = comparison


@dataclasses.dataclass(frozen=True)
class Comparison:
    """The results of several algorithms on one position."""

    game: Game
    state: State
    depth: int | None
    results: tuple[Result, ...]
    size: TreeSize | None
    """The full tree; None unless the game is zero-sum for two players and without chance, as the theory requires."""

    @property
    def agrees(self) -> bool:
        """Whether all found the same value."""
        return len({_for_max(result.value) for result in self.results}) == 1

    def to_json(self) -> dict[str, Any]:
        """Return the comparison ready for JSON, with moves and positions in their text forms."""
        size = self.size
        return {
            "game": repr(self.game),
            "position": self.game.format(self.state),
            "depth": self.depth,
            "agree": self.agrees,
            "algorithms": [
                {key: value for key, value in result.to_json().items() if key not in ("game", "position", "depth")}
                for result in self.results
            ],
            "theory": None if size is None else {
                "exact": size.exact, "depth": size.depth, "branching": size.branching,
                "most_leaves": size.most, "fewest_leaves": size.fewest,
            },
        }  # fmt: skip


def compare(
    game: Game,
    state: State | str | None = None,
    depth: int | None = None,
    algorithms: Sequence[str] | None = None,
    on_step: Callable[[str], None] | None = None,
) -> Comparison:
    """Search one position with several algorithms.

    Args:
        game: whose rules to follow.
        state: a position, or its text; default: the initial one.
        depth: how many plies to look ahead; default: to the end of the game.
        algorithms: their names; default: one for each idea.
        on_step: called with the name of each algorithm before it runs.

    Raises:
        Disagreement: they found different values.
        SearchError: no depth was given and the tree is too big to search to the end, or an algorithm cannot be
            compared with the others.

    >>> import plywise as pw
    >>> with pw.interpreted():  # no need to compile for so small a tree
    ...     comparison = pw.compare(pw.games.RedBlue(), algorithms=["minimax", "alphabeta"])
    >>> [result.leaves for result in comparison.results], comparison.size.most, comparison.size.fewest
    ([8, 6], 8, 5)
    """
    tell = on_step or (lambda name: None)
    start = position(game, state)
    names = _checked_names(game, algorithms)
    tell("the full tree")
    size = None
    if _theory_applies(game):
        size = tree_size(game, start, depth)
        if size is None:
            raise SearchError("the full tree is too big to search to the end: give a depth")
    results = []
    for name in dict.fromkeys(names):
        tell(name)
        limit = size.depth if depth is None and size is not None and ALGORITHMS[name].needs_limit else depth
        results.append(search(game, start, depth=limit, algorithm=name))
    comparison = Comparison(game, start, depth, tuple(results), size)
    if not comparison.agrees:
        raise Disagreement(comparison)
    return comparison


def _theory_applies(game: Game) -> bool:
    """Return whether the numbers of leaves in theory are for this game: one for two players, without chance."""
    return game.is_zero_sum() and not isinstance(game, Chance)


def _checked_names(game: Game, algorithms: Sequence[str] | None) -> list[str]:
    usual = USUAL_ALGORITHMS if _theory_applies(game) else suitable_algorithms(game)
    chosen = [algorithm_named(name) for name in algorithms or usual]
    for algorithm in chosen:
        if algorithm.only_answers:
            raise SearchError(f"{algorithm.name} cannot be compared: it answers a question and finds no value")
        if not algorithm.has_depth:
            raise SearchError(f"{algorithm.name} cannot be compared: it has no depth, so its value may differ")
        if algorithm.coalition:
            raise SearchError(f"{algorithm.name} cannot be compared: it assumes more than best play, so its value may "
                              "differ")  # fmt: skip
        if not algorithm.takes_chance:
            check_certain(game, algorithm.name)
        if not algorithm.many_players:
            check_zero_sum(game, algorithm.name)
    if path_matters(game) and len({algorithm.minds_path for algorithm in chosen}) > 1:
        mindful = ", ".join(algorithm.name for algorithm in chosen if algorithm.minds_path)
        raise SearchError(f"repetitions or plies to a win count in {game!r}, but only for {mindful}: they cannot be "
                          "compared with the others")  # fmt: skip
    return [algorithm.name for algorithm in chosen]


def _for_max(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value
