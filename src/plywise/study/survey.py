"""Facts found by playing a game: how it ends, its scores, the size of its tree."""

from __future__ import annotations

import dataclasses
import functools
import math
import random

from plywise.algorithms import ALGORITHMS
from plywise.errors import GameError
from plywise.game import Game, State
from plywise.inputs.limits import LONGEST_LINE, check_whole
from plywise.layers import is_solitaire, path_matters
from plywise.match.dice import by_chance, rolled
from plywise.result import Result
from plywise.search import search

TRIES = 100
MOST_NODES = 50_000_000
MOST_SECONDS = 10.0


def last_position(game: Game, seed: int = 0) -> State:
    """Return a position one move before the end of a random game.

    Raises:
        GameError: no game ended, or a position that is not terminal has no moves.
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
                raise GameError(f"{game!r} has no moves in {text!r}, which is not terminal: see 'plywise check'")
            state = game.play(state, chance.choice(moves))
    raise GameError(f"{type(game).__name__}: none of {TRIES} random games ended within {LONGEST_LINE} moves")


@functools.lru_cache(maxsize=64)
def player_count(game: Game) -> int:
    """Return how many players a game has; if the rules do not say, a random game tells."""
    return 1 if is_solitaire(game) else 2 if game.is_zero_sum() else len(random_scores(game))


def random_scores(game: Game) -> tuple[float, ...]:
    """Return the final scores of a random game, one per player."""
    before = last_position(game)
    if game.is_terminal(before):
        return tuple(float(score) for score in game.scores(before))
    children = [game.play(before, move) for move in game.moves(before)]
    return tuple(float(score) for score in game.scores(next(filter(game.is_terminal, children))))


@dataclasses.dataclass(frozen=True)
class RandomGames:
    """The shape of the game tree along random games."""

    games: int
    branching: float
    """The mean number of moves in a position, or of outcomes where chance moves."""
    length: float
    """The mean number of moves in a game, with those of chance."""

    def __str__(self) -> str:
        return f"{self.branching:.3g}^{self.length:.3g}"


def random_games(game: Game, games: int = 10, seed: int = 0) -> RandomGames:
    """Play random games, all moves equally likely and chance by its probabilities, and return their shape.

    A game that does not end within ``LONGEST_LINE`` moves counts as that long.

    Raises:
        SearchError: ``games`` is not a whole number, at least 1.

    >>> import plywise as pw
    >>> str(random_games(pw.games.RedBlue()))
    '2^3'
    """
    check_whole("games", games, 1)
    luck = random.Random(seed)
    choices = plies = 0
    for _ in range(games):
        state = game.initial()
        for _ in range(LONGEST_LINE):
            if game.is_terminal(state):
                break
            moves = list(game.moves(state))
            move = rolled(game, state, luck) if by_chance(game, state) else luck.choice(moves)
            choices, plies = choices + len(moves), plies + 1
            state = game.play(state, move)
    return RandomGames(games, choices / max(1, plies), plies / games)


def suitable_algorithms(game: Game) -> list[str]:
    """Return the names of the algorithms that find the value of this game without further options."""
    if not game.is_zero_sum():
        return [name for name, algorithm in ALGORITHMS.items() if algorithm.suits(game) and not algorithm.coalition]
    apart = path_matters(game)  # then algorithms that mind the path may find a different value
    return [
        name
        for name, algorithm in ALGORITHMS.items()
        if algorithm.suits(game)
        and not algorithm.coalition
        and algorithm.has_depth
        and not algorithm.needs_options
        and not (apart and algorithm.minds_path)
    ]


@dataclasses.dataclass(frozen=True)
class TreeSize:
    """The size of a full game tree, and what theory predicts from it."""

    leaves: int
    """The leaves of the tree to depth ``counted``."""
    counted: int
    depth: int
    """The depth to predict for: ``counted``, or deeper if counting to it would take too long."""

    @property
    def exact(self) -> bool:
        """Whether the whole tree was counted; if not, the numbers below are estimates."""
        return self.counted == self.depth

    @property
    def branching(self) -> float:
        """The branching factor b of a uniform tree with the same number of leaves.

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
    """Count the leaves of the full tree to ``depth`` (default: the end), for a few seconds at most.

    If that is too deep to count, the size is an estimate from a shallower tree; None if no depth was given.

    >>> import plywise as pw
    >>> with pw.interpreted():
    ...     tree_size(pw.games.RedBlue())
    TreeSize(leaves=8, counted=3, depth=3)
    """
    so_far: list[Result] = []
    search(game, state, algorithm="minimax", depth=depth, nodes=MOST_NODES, seconds=MOST_SECONDS, on_info=so_far.append)
    last = so_far[-1]
    assert last.depth is not None
    counts = [report.leaves or 0 for report in so_far]  # cumulative
    leaves = counts[-1] - (counts[-2] if len(counts) > 1 else 0)
    if last.proven:
        return TreeSize(leaves, last.depth, last.depth)
    return None if depth is None else TreeSize(leaves, last.depth, depth)
