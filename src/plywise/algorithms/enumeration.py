"""Count move sequences, and the ways in which a game can end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from plywise.algorithms.perft import perft as _perft
from plywise.algorithms.terminals import terminals as _terminals
from plywise.algorithms.watch import ENDS, HORIZON, Tally, tally_arrays
from plywise.compiling.reading import prepare, run
from plywise.errors import SearchError
from plywise.game import Game, State
from plywise.inputs.limits import LONGEST_LINE, TOO_LONG_A_LINE, check_whole
from plywise.inputs.positions import position


def perft(game: Game, state: State | str | None = None, depth: int = 1) -> int:
    """Return how many sequences of exactly ``depth`` legal moves start at ``state`` (default: the initial position).

    >>> import plywise as pw
    >>> [pw.algorithms.perft(pw.games.ConnectFour(), None, depth) for depth in range(1, 6)]
    [7, 49, 343, 2401, 16807]
    """
    check_whole("depth", depth, 0, LONGEST_LINE)
    start = position(game, state)
    return int(_count(_perft, game.counted(), start, depth)[0])


def outcomes(game: Game, state: State | str | None = None) -> dict[float, int]:
    """Return how many complete games from ``state`` end with each score.

    >>> import plywise as pw
    >>> pw.algorithms.outcomes(pw.games.TicTacToe())
    {-1: 77904, 0: 46080, 1: 131184}
    """
    start = position(game, state)
    kinds = 64
    while True:
        try:
            _, watch = _count(_terminals, game, start, LONGEST_LINE, kinds)
        except _TooManyScores:
            kinds *= 2
            continue
        if watch.horizon:
            raise SearchError(TOO_LONG_A_LINE)
        found = {float(s): int(n) for s, n in zip(watch.scores, watch.games, strict=True) if n}
        return {int(s) if s.is_integer() else s: found[s] for s in sorted(found)}


def terminal_states(game: Game, state: State | str | None = None) -> Iterator[State]:
    """Yield the final position of every complete game, in order, by backtracking.  Runs as plain Python."""
    waiting = [position(game, state)]
    while waiting:
        here = waiting.pop()
        if game.is_terminal(here):
            yield here
        else:
            waiting += reversed([game.play(here, move) for move in game.moves(here)])


class _TooManyScores(Exception):
    """There are more different scores than ``_Outcomes`` has room for."""


class _Outcomes(Tally):
    """Counts how often each score occurs."""

    scores: np.ndarray
    games: np.ndarray

    def leaf(self, state: State, depth: int, value: float, terminal: bool) -> None:
        self.count[ENDS if terminal else HORIZON] += 1
        if not terminal:
            return
        for i in range(len(self.scores)):
            if self.games[i] == 0:
                self.scores[i] = value
            if self.scores[i] == value:
                self.games[i] += 1
                return
        raise _TooManyScores


def _count(function: Any, game: Game, state: State, depth: int, kinds: int = 0) -> tuple[Any, Any]:
    """Run a counting function, compiled if possible; returns its answer and the watcher."""

    def watcher(any_move: bool = False) -> Tally:
        arrays = tally_arrays(depth, any_move)
        if not kinds:
            return Tally(**arrays)
        return _Outcomes(**arrays, scores=np.zeros(kinds), games=np.zeros(kinds, dtype=np.int64))

    compiled = prepare(function, game, state, lambda: (depth, watcher()))
    watch = watcher(any_move=compiled is None)
    return run(function, game, state, (depth, watch), watch, compiled), watch
