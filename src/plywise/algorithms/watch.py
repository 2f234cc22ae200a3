"""Watchers: how an algorithm reports what it does.

Every algorithm takes a watcher and calls it at fixed points.  A ``Watcher`` ignores all events and compiles to nothing.
A ``Tally`` counts, keeps the line of best play and can stop the search, compiled or not.  A ``Recorder`` keeps every
event, in interpreted runs; drawings, step-by-step views and quizzes use these events and run no algorithm of their own.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, NamedTuple

import numpy as np

from plywise.compiling.atomic import load
from plywise.compiling.native import Native, apart, inlined
from plywise.errors import Stopped
from plywise.game import Game, Move, State

NODES, ENDS, HORIZON, LIMIT, ROOT_DEPTH, OUTCOMES = range(6)
"""Places in ``Tally.count``: nodes entered; leaves at which the game is over, and at which it is not; the node limit,
-1 to stop at once; the depth of the root; outcomes of chance that were weighed."""


class Watcher(Native):
    """Ignores all events.  ``depth`` is the remaining depth."""

    def enter(self, state: State, depth: int, alpha: float, beta: float) -> None:
        """A node is entered with a window (infinite for algorithms without one)."""

    def leaf(self, state: State, depth: int, value: Any, terminal: bool) -> None:
        """The node is a leaf: the game is over, or the position was evaluated at depth 0."""

    def update(self, state: State, depth: int, move: Move, value: Any, alpha: float, beta: float) -> None:
        """``move`` is the best so far at this node; the window is now (alpha, beta)."""

    def cut(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        """The moves after ``move`` are cut off, because of this window."""

    def null_window(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        """``move`` is about to be searched with a null window, which only shows whether it is better."""

    def research(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        """``move`` is about to be searched again, because the first answer was only a bound."""

    def probe(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        """The outcome ``move`` of chance is about to be probed: one move after it is searched, with this window."""

    def weigh(self, state: State, depth: int, move: Move, value: Any, low: float, high: float) -> None:
        """The outcome ``move`` of chance has this value; the average over all outcomes lies between low and high."""

    def bound(self, state: State, depth: int, move: Move, low: float, high: float) -> None:
        """What is known of the outcomes of chance up to ``move`` shows that the average lies between low and high."""

    def recall(self, state: State, depth: int, value: Any, has_move: bool, move: Move) -> None:
        """The node returns the value stored in a memo, with the best move if the memo has one."""

    def restart(self, state: State, depth: int, alpha: float, beta: float) -> None:
        """The whole search is about to start, or restart, with this window."""

    def leave(self, state: State, depth: int, value: Any) -> None:
        """The node returns ``value`` (in negamax forms: for the player to move)."""


class Tally(Watcher):
    """Counts nodes and leaves, keeps the line of best play, and can stop the search."""

    count: np.ndarray
    line: np.ndarray
    """Row d holds the best line found with d plies left; its first ``length[d]`` items count."""
    length: np.ndarray

    @inlined
    def enter(self, state: State, depth: int, alpha: float, beta: float) -> None:
        nodes = self.count[NODES] + 1
        if nodes > load(self.count, LIMIT):
            raise Stopped
        self.count[NODES] = nodes
        self.length[depth] = 0

    @inlined
    def leaf(self, state: State, depth: int, value: Any, terminal: bool) -> None:
        self.count[ENDS if terminal else HORIZON] += 1

    @inlined
    def update(self, state: State, depth: int, move: Move, value: Any, alpha: float, beta: float) -> None:
        if alpha < beta or depth == self.count[ROOT_DEPTH]:  # a refutation is not part of the line of best play
            self.keep(depth, move)

    @inlined
    def weigh(self, state: State, depth: int, move: Move, value: Any, low: float, high: float) -> None:
        self.count[OUTCOMES] += 1

    @inlined
    def bound(self, state: State, depth: int, move: Move, low: float, high: float) -> None:
        self.count[OUTCOMES] += 1

    @apart
    def keep(self, depth: int, move: Move) -> None:
        """Make ``move`` and the best line after it the best line here."""
        self.line[depth, 0] = move
        for i in range(self.length[depth - 1]):
            self.line[depth, i + 1] = self.line[depth - 1, i]
        self.length[depth] = self.length[depth - 1] + 1

    @inlined
    def recall(self, state: State, depth: int, value: Any, has_move: bool, move: Move) -> None:
        self.line[depth, 0] = move
        self.length[depth] = 1 if has_move else 0

    # From Python ----------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop the running search at its next node."""
        self.count[LIMIT] = -1

    @property
    def nodes(self) -> int:
        return int(self.count[NODES])

    @property
    def leaves(self) -> int:
        return int(self.count[ENDS] + self.count[HORIZON])

    @property
    def horizon(self) -> int:
        """Leaves at which the game was not over."""
        return int(self.count[HORIZON])

    @property
    def is_average(self) -> bool:
        """Whether chance had a part in the value."""
        return bool(self.count[OUTCOMES])

    @property
    def best_line(self) -> tuple[Move, ...]:
        root = self.count[ROOT_DEPTH]
        return tuple(self.line[root, : self.length[root]].tolist())


def tally_arrays(depth: int, any_move: bool = False, node_limit: int | None = None) -> dict[str, Any]:
    """Return the arrays of a tally for a search to ``depth``; with ``any_move``, moves need not be integers."""
    count = np.zeros(8, dtype=np.int64)
    count[ROOT_DEPTH] = depth
    count[LIMIT] = np.iinfo(np.int64).max if node_limit is None else node_limit
    rows = depth + 1
    kind: Any = object if any_move else np.int64
    return {"count": count, "line": np.zeros((rows, rows), dtype=kind), "length": np.zeros(rows, dtype=np.int64)}


class Event(NamedTuple):
    """One event of a search.  Windows and values are the algorithm's own: in negamax, for the player to move."""

    kind: Literal[
        "enter", "leaf", "update", "weigh", "bound", "cut", "null window", "re-search", "probe", "recall", "restart",
        "return",
    ]  # fmt: skip
    node: int
    """The number of the visit, from 0 in order of entry."""
    parent: int | None
    """The number of the parent's visit; None for the root."""
    ply: int
    """Distance from the root."""
    state: State
    move: Move | None = None
    """enter: the move that led here; update, weigh, bound, null window, re-search, probe, recall: the move in question;
    cut: the last move tried."""
    value: Any = None
    alpha: Any = None
    beta: Any = None
    """weigh, bound: alpha and beta are the bounds of the average."""
    terminal: bool | None = None
    """leaf: whether the game is over here; if not, the depth is used up."""
    left_out: tuple[Move, ...] = ()
    """cut: the moves that were neither searched nor probed."""


class _Visit:
    """A node on the recorder's stack."""

    def __init__(self, number: int, parent: int | None, state: State) -> None:
        self.number, self.parent, self.state = number, parent, state
        self.moves: list[Move] | None = None  # filled at the first child
        self.tried = 0
        self.probed: list[Move] = []
        self.probing = False  # the next child is the last of ``probed``


class Recorder(Tally):
    """A tally that also keeps every event.  For interpreted runs only: machine code cannot grow a list."""

    game: Game
    events: list[Event] = dataclasses.field(default_factory=list)
    path: list[_Visit] = dataclasses.field(default_factory=list)

    def enter(self, state: State, depth: int, alpha: float, beta: float) -> None:
        super().enter(state, depth, alpha, beta)
        parent, move = None, None
        if self.path:
            above = self.path[-1]
            parent = above.number
            if above.probing:
                move = above.probed[-1]
                above.probing = False
            else:
                move = self._moves(above)[above.tried]
                above.tried += 1
        self.path.append(_Visit(self.nodes - 1, parent, state))
        self._record("enter", depth, move=move, alpha=alpha, beta=beta)

    def leaf(self, state: State, depth: int, value: Any, terminal: bool) -> None:
        super().leaf(state, depth, value, terminal)
        self._record("leaf", depth, value=value, terminal=bool(terminal))
        self.path.pop()

    def update(self, state: State, depth: int, move: Move, value: Any, alpha: float, beta: float) -> None:
        super().update(state, depth, move, value, alpha, beta)
        self._record("update", depth, move=move, value=value, alpha=alpha, beta=beta)

    def cut(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        here = self.path[-1]
        left_out = tuple(other for other in self._moves(here)[here.tried :] if other not in here.probed)
        self._record("cut", depth, move=move, alpha=alpha, beta=beta, left_out=left_out)

    def probe(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        self.path[-1].probed.append(move)
        self.path[-1].probing = True
        self._record("probe", depth, move=move, alpha=alpha, beta=beta)

    def weigh(self, state: State, depth: int, move: Move, value: Any, low: float, high: float) -> None:
        super().weigh(state, depth, move, value, low, high)
        self._record("weigh", depth, move=move, value=value, alpha=low, beta=high)

    def bound(self, state: State, depth: int, move: Move, low: float, high: float) -> None:
        super().bound(state, depth, move, low, high)
        self._record("bound", depth, move=move, alpha=low, beta=high)

    def null_window(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        self._record("null window", depth, move=move, alpha=alpha, beta=beta)

    def research(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        self.path[-1].tried -= 1  # the next child is this move again
        self._record("re-search", depth, move=move, alpha=alpha, beta=beta)

    def recall(self, state: State, depth: int, value: Any, has_move: bool, move: Move) -> None:
        super().recall(state, depth, value, has_move, move)
        if self.path:
            self._record("recall", depth, move=move if has_move else None, value=value)
            self.path.pop()

    def restart(self, state: State, depth: int, alpha: float, beta: float) -> None:
        self.events.append(Event("restart", self.nodes, None, 0, state, alpha=alpha, beta=beta))

    def leave(self, state: State, depth: int, value: Any) -> None:
        self._record("return", depth, value=value)
        self.path.pop()

    def _moves(self, visit: _Visit) -> list[Move]:
        if visit.moves is None:
            visit.moves = list(self.game.moves(visit.state))
        return visit.moves

    def _record(self, kind: Any, depth: int, **rest: Any) -> None:
        here = self.path[-1]
        ply = int(self.count[ROOT_DEPTH]) - depth
        self.events.append(Event(kind, here.number, here.parent, ply, here.state, **rest))
