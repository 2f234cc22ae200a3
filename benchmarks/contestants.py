"""The same searches in three libraries: plywise, easyAI and OpenSpiel.

Each library gets the fastest form that its users could write: plywise its own games, easyAI bitboards with
``unmake_move`` (easyAI's own Connect Four, on NumPy arrays, is many times slower), OpenSpiel its own C++ positions.
Each is called through its public interface, and each search returns the value for the first player.  Nodes are counted
in separate runs, so that counting does not slow the peers down.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import plywise as pw
from plywise.games import ConnectFour, TicTacToe


class Outcome(NamedTuple):
    value: float
    nodes: int | None = None
    """Positions visited, if the library reports or we count them."""
    seconds: float | None = None
    """The time that the library itself reports."""


class Contestant(NamedTuple):
    """One way to do a task."""

    library: str
    how: str
    """The public function to call."""
    run: Callable[[], Outcome]
    count: Callable[[], Outcome]  # type: ignore[assignment]  # not tuple's
    """The same search with nodes counted."""


class Task(NamedTuple):
    name: str
    note: str
    """Why the trees are the same, or what the reader must know."""
    depth: int | None
    contestants: tuple[Contestant, ...]
    """plywise first."""


PEERS = {"easyAI": "easyAI", "OpenSpiel": "pyspiel"}
"""The peers and the modules to import."""

PACKAGES = {"plywise": "plywise", "easyAI": "easyAI", "OpenSpiel": "open_spiel"}
"""The names of the libraries in the package index."""


def is_installed(peer: str) -> bool:
    return importlib.util.find_spec(PEERS[peer]) is not None


def tasks(depths: tuple[int, ...], peers: tuple[str, ...]) -> list[Task]:
    """Return the tasks to measure, with the given peers."""
    found = [
        Task(
            "Tic-tac-toe, minimax",
            "Every line of play to its end.  easyAI has no search without pruning.",
            None,
            (_plywise(TicTacToe(), "minimax"), *_open_spiel("tic_tac_toe", peers, pruning=False)),
        ),
        Task(
            "Tic-tac-toe, alpha-beta",
            "To the end; a win is worth 1.  easyAI's factor for the remaining depth is divided out.",
            None,
            (_plywise(TicTacToe(), "alphabeta"), *_easyai(_noughts, 9, peers), *_open_spiel("tic_tac_toe", peers)),
        ),
    ]
    for depth in depths:
        found += [
            Task(
                f"Connect Four, depth {depth}",
                "A win is worth 1, as in OpenSpiel.  easyAI's factor for the remaining depth is divided out.",
                depth,
                (
                    _plywise(UnitConnectFour(), "alphabeta", depth),
                    *_easyai(_columns, depth, peers),
                    *_open_spiel("connect_four", peers, depth),
                ),
            ),
            Task(
                f"Connect Four, depth {depth}, sooner wins worth more",
                "The scores of plywise's own ConnectFour.  easyAI's factor keeps their order, and so the tree;"
                " OpenSpiel's scores cannot be changed.",
                depth,
                (_plywise(ConnectFour(), "alphabeta", depth), *_easyai(_hasty_columns, depth, peers)),
            ),
        ]
    return [task for task in found if len(task.contestants) > 1 or not peers]


# plywise -------------------------------------------------------------------------------------------------------------


class UnitConnectFour(ConnectFour):
    """Connect Four in which every win is worth 1."""

    def score(self, state: Any) -> int:
        if not self.has_line(state.mine ^ state.filled):
            return 0
        return 1 if state.plies & 1 else -1


def _plywise(game: pw.Game, algorithm: str, depth: int | None = None) -> Contestant:
    def run() -> Outcome:
        result = pw.search(game, algorithm=algorithm, depth=depth)
        return Outcome(result.value, result.nodes, result.seconds)

    return Contestant("plywise", f'search(algorithm="{algorithm}")', run, run)


# easyAI --------------------------------------------------------------------------------------------------------------


def _easyai(make_game: Callable[[int], Any], depth: int, peers: tuple[str, ...]) -> Iterator[Contestant]:
    """Yield easyAI's recursive alpha-beta; the one without recursion takes twice as long."""
    if "easyAI" not in peers:
        return
    module = importlib.import_module("easyAI.AI.Negamax")  # "from easyAI.AI import Negamax" would be the class

    def run() -> Outcome:
        player = module.Negamax(depth)
        player(make_game(depth))
        return Outcome(player.alpha)

    def count() -> Outcome:
        with _counted(module, "negamax") as calls:
            value = run().value
        return Outcome(value, calls[0])

    yield Contestant("easyAI", "Negamax", run, count)


def _bitboards() -> Any:
    """The base of both games: the mover's stones, all stones, and a stack of their earlier values."""
    from easyAI import TwoPlayerGame

    class Bitboards(TwoPlayerGame):
        def __init__(self, depth: int) -> None:
            self.players = None
            self.current_player = 1
            self.mine = self.filled = self.plies = 0
            self.before: list[tuple[int, int]] = []
            # easyAI multiplies every score by 1 + 0.001 * (the remaining depth)
            self.loss = [-1 / (1 + 0.001 * (depth - plies)) for plies in range(depth + 1)]

        def unmake_move(self, move: int) -> None:
            self.mine, self.filled = self.before.pop()
            self.plies -= 1

        def switch_player(self) -> None:  # twice as fast as easyAI's own
            self.current_player = 3 - self.current_player

    return Bitboards


def _noughts(depth: int) -> Any:
    """Tic-tac-toe with one bit per cell; a table says which of the 512 sets of cells contain a line."""
    lines = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
    wins = [any(stones & line == line for line in lines) for stones in range(512)]
    cells = [1 << cell for cell in range(9)]

    class Noughts(_bitboards()):
        def possible_moves(self) -> list[int]:
            filled = self.filled
            return [cell for cell in cells if not filled & cell]

        def make_move(self, move: int) -> None:
            mine, filled = self.mine, self.filled
            self.before.append((mine, filled))
            self.mine, self.filled = mine ^ filled, filled | move
            self.plies += 1

        def is_over(self) -> bool:
            return wins[self.mine ^ self.filled] or self.plies == 9

        def scoring(self) -> float:
            return self.loss[self.plies] if wins[self.mine ^ self.filled] else 0

    return Noughts(depth)


def _columns(depth: int) -> Any:
    """Connect Four with plywise's bit layout: seven columns of seven bits.  A move is the lowest bit of a column."""
    columns = [(1 << 7 * column, 1 << 7 * column + 5) for column in range(7)]

    class Columns(_bitboards()):
        def possible_moves(self) -> list[int]:
            filled = self.filled
            return [bottom for bottom, top in columns if not filled & top]

        def make_move(self, move: int) -> None:
            mine, filled = self.mine, self.filled
            self.before.append((mine, filled))
            self.mine, self.filled = mine ^ filled, filled | filled + move
            self.plies += 1

        def lost(self) -> bool:
            stones = self.mine ^ self.filled
            pairs = stones & stones >> 1
            if pairs & pairs >> 2:
                return True
            pairs = stones & stones >> 6
            if pairs & pairs >> 12:
                return True
            pairs = stones & stones >> 7
            if pairs & pairs >> 14:
                return True
            pairs = stones & stones >> 8
            return pairs & pairs >> 16 != 0

        def is_over(self) -> bool:
            return self.plies == 42 or self.lost()

        def scoring(self) -> float:
            return self.loss[self.plies] if self.lost() else 0

    return Columns(depth)


def _hasty_columns(depth: int) -> Any:
    """The same with plywise's scores: half the number of stones left."""
    game = _columns(depth)
    game.loss = [-((44 - plies) // 2) for plies in range(depth + 1)]
    return game


# OpenSpiel -----------------------------------------------------------------------------------------------------------


def _open_spiel(name: str, peers: tuple[str, ...], depth: int = 9, pruning: bool = True) -> Iterator[Contestant]:
    """Yield OpenSpiel's Python searches on its C++ positions: its C++ alpha-beta cannot be called from Python."""
    if "OpenSpiel" not in peers:
        return
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game(name)
    inner = "_alpha_beta" if pruning else "expectiminimax"

    def nothing(state: Any) -> float:
        return 0.0

    def run() -> Outcome:
        if pruning:
            value, _ = minimax.alpha_beta_search(game, value_function=nothing, maximum_depth=depth)
        else:
            value, _ = minimax.expectiminimax(game.new_initial_state(), depth, nothing, 0)
        return Outcome(value)

    def count() -> Outcome:
        with _counted(minimax, inner) as calls:
            value = run().value
        return Outcome(value, calls[0])

    yield Contestant("OpenSpiel", "alpha_beta_search" if pruning else "expectiminimax", run, count)


@contextmanager
def _counted(module: Any, name: str) -> Iterator[list[int]]:
    """Count the calls of a recursive function, which looks itself up in its module by name."""
    original = getattr(module, name)
    calls = [0]

    def counting(*arguments: Any, **keywords: Any) -> Any:
        calls[0] += 1
        return original(*arguments, **keywords)

    setattr(module, name, counting)
    try:
        yield calls
    finally:
        setattr(module, name, original)
