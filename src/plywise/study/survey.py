"""What can be found out about a game by playing it: its end, its players, the size of its tree."""

from __future__ import annotations

import dataclasses
import math
import random

from plywise.algorithms import ALGORITHMS
from plywise.errors import GameError
from plywise.game import Game, State
from plywise.inputs.limits import LONGEST_LINE
from plywise.layers import path_matters
from plywise.result import Result
from plywise.search import search

TRIES = 100
MOST_NODES = 50_000_000
MOST_SECONDS = 10.0


def last_position(game: Game, seed: int = 0) -> State:
    """Return a position one move before the end of a random game.

    Raises:
        GameError: no game came to an end.
    """
    chance = random.Random(seed)
    for _ in range(TRIES):
        before = state = game.initial()
        for _ in range(LONGEST_LINE):
            if game.is_terminal(state):
                return before
            before = state
            moves = list(game.moves(state))
            if not moves:
                text = game.format(state)
                raise GameError(f"{game!r} has no moves in {text!r}, which is not terminal: 'plywise check' tells more")
            state = game.play(state, chance.choice(moves))
    raise GameError(f"{type(game).__name__}: none of {TRIES} random games ended within {LONGEST_LINE} moves")


def final_scores(game: Game) -> tuple[float, ...]:
    """Return the scores at the end of some game, one for each player."""
    before = last_position(game)
    if game.is_terminal(before):
        return tuple(float(score) for score in game.scores(before))
    children = [game.play(before, move) for move in game.moves(before)]
    return tuple(float(score) for score in game.scores(next(filter(game.is_terminal, children))))


def suitable_algorithms(game: Game) -> list[str]:
    """Return the names of the algorithms that find the value of this game without being told more."""
    if not game.is_zero_sum():
        return [name for name, algorithm in ALGORITHMS.items() if algorithm.many_players]
    apart = path_matters(game)  # then those that mind the path find another value than those that do not
    return [
        name
        for name, algorithm in ALGORITHMS.items()
        if algorithm.has_depth and not algorithm.needs_options and not (apart and algorithm.minds_path)
    ]


@dataclasses.dataclass(frozen=True)
class TreeSize:
    """The size of a full game tree, and what theory makes of it."""

    leaves: int
    """The leaves of the tree to depth ``counted``."""
    counted: int
    depth: int
    """The depth that theory is asked about: ``counted``, or deeper if counting so deep would take too long."""

    @property
    def exact(self) -> bool:
        """Whether the whole tree was counted; if not, all else is an estimate."""
        return self.counted == self.depth

    @property
    def branching(self) -> float:
        """The branching factor b of the uniform tree with as many leaves.

        >>> TreeSize(7**8, 8, 8).branching, round(TreeSize(1000, 4, 4).branching, 2)
        (7, 5.62)
        """
        factor = float(self.leaves ** (1 / self.counted))
        return round(factor) if round(factor) ** self.counted == self.leaves else factor

    @property
    def most(self) -> float:
        """b^d: the leaves that minimax visits, and alpha-beta with the worst order of moves."""
        return self.leaves if self.exact else self.branching**self.depth

    @property
    def fewest(self) -> float:
        """b^ceil(d/2) + b^floor(d/2) - 1: the leaves that alpha-beta visits with the best order (Knuth and Moore).

        >>> TreeSize(7**8, 8, 8).fewest
        4801
        """
        return self.branching ** math.ceil(self.depth / 2) + self.branching ** (self.depth // 2) - 1


def tree_size(game: Game, state: State | str | None = None, depth: int | None = None) -> TreeSize | None:
    """Count the leaves of the full tree to ``depth`` (default: the end), as far as that takes no more than seconds.

    Returns None if the end was asked for and is too far.

    >>> import plywise as pw
    >>> with pw.interpreted():
    ...     tree_size(pw.games.RedBlue())
    TreeSize(leaves=8, counted=3, depth=3)
    """
    so_far: list[Result] = []
    search(game, state, algorithm="minimax", depth=depth, nodes=MOST_NODES, seconds=MOST_SECONDS, on_info=so_far.append)
    last = so_far[-1]
    assert last.depth is not None
    counts = [report.leaves or 0 for report in so_far]  # they add up
    leaves = counts[-1] - (counts[-2] if len(counts) > 1 else 0)
    if last.proven:
        return TreeSize(leaves, last.depth, last.depth)
    return None if depth is None else TreeSize(leaves, last.depth, depth)
