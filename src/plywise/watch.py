"""Watchers: what an algorithm tells while it runs.

Every algorithm takes a watcher and calls it at fixed moments.  A ``Watcher`` ignores all of it and compiles to nothing;
a ``Tally`` counts, keeps the line of best play and can stop the search, compiled or not; a ``Recorder`` keeps every
event, in interpreted runs.  Whoever draws, steps or quizzes looks at those events and never runs an algorithm of its
own.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, NamedTuple

import numpy as np

from plywise.bits import fresh
from plywise.errors import Stopped
from plywise.game import Game, Move, State
from plywise.native import Native

LONGEST_LINE = 1000
"""Plies of a search without a depth limit.  Deeper recursion would need more stack than a thread has."""

NODES, LEAVES, HORIZON, CHECKPOINT, NODE_LIMIT, STOP, ROOT_DEPTH = range(7)
"""Places in ``Tally.count``: nodes entered, leaves, leaves that are not terminal; when to look at the limits next; the
limit in nodes; whether to stop; the depth with which the root was entered."""

POLL_EVERY = 1024
"""Nodes between two looks at the stop flag: a few microseconds in compiled code."""


class Watcher(Native):
    """Hears everything and does nothing.  ``depth`` is the remaining depth, as the algorithms count it."""

    def enter(self, state: State, depth: int, alpha: float, beta: float) -> None:
        """A node is entered with a window (infinite for algorithms that have none)."""

    def leaf(self, state: State, depth: int, value: Any, terminal: bool) -> None:
        """The node is a leaf: the game is over, or the depth is used up and the position was evaluated."""

    def update(self, state: State, depth: int, move: Move, value: Any, alpha: float, beta: float) -> None:
        """``move`` is the best so far at this node; the window is now (alpha, beta)."""

    def cut(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        """The moves after ``move`` are left out, because of this window."""

    def null_window(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        """``move`` is about to be searched with a window that can only tell better from not better."""

    def research(self, state: State, depth: int, move: Move, alpha: float, beta: float) -> None:
        """``move`` is about to be searched again, because the first answer was only a bound."""

    def recall(self, state: State, depth: int, value: Any, has_move: bool, move: Move) -> None:
        """The node returns the value that a memo has of it, and, if it has one, the best move."""

    def restart(self, state: State, depth: int, alpha: float, beta: float) -> None:
        """The whole search is about to begin, or to begin again, with this window."""

    def leave(self, state: State, depth: int, value: Any) -> None:
        """The node returns ``value`` (in negamax forms: for the player to move)."""


class Tally(Watcher):
    """Counts nodes and leaves, keeps the line of best play, and stops the search on demand."""

    count: np.ndarray
    line: np.ndarray
    """Row p holds the best line found from ply p on; its first ``length[p]`` items count."""
    length: np.ndarray

    def enter(self, state: State, depth: int, alpha: float, beta: float) -> None:
        nodes = self.count[NODES] + 1
        if nodes >= self.count[CHECKPOINT]:
            self.checkpoint(nodes)
        self.count[NODES] = nodes
        self.length[self.count[ROOT_DEPTH] - depth] = 0

    def checkpoint(self, nodes: int) -> None:
        """Stop if the node limit is reached or the flag is up."""
        if nodes > self.count[NODE_LIMIT] or fresh(self.count, STOP) != 0:
            raise Stopped
        self.count[CHECKPOINT] = min(nodes + POLL_EVERY, self.count[NODE_LIMIT] + 1)

    def leaf(self, state: State, depth: int, value: Any, terminal: bool) -> None:
        self.count[LEAVES] += 1
        if not terminal:
            self.count[HORIZON] += 1

    def update(self, state: State, depth: int, move: Move, value: Any, alpha: float, beta: float) -> None:
        ply = self.count[ROOT_DEPTH] - depth
        self.line[ply, 0] = move
        for i in range(self.length[ply + 1]):
            self.line[ply, i + 1] = self.line[ply + 1, i]
        self.length[ply] = self.length[ply + 1] + 1

    def recall(self, state: State, depth: int, value: Any, has_move: bool, move: Move) -> None:
        ply = self.count[ROOT_DEPTH] - depth
        self.line[ply, 0] = move
        self.length[ply] = 1 if has_move else 0

    # From Python ----------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Ask the running search to stop; it does within ``POLL_EVERY`` nodes."""
        self.count[STOP] = 1

    @property
    def nodes(self) -> int:
        return int(self.count[NODES])

    @property
    def leaves(self) -> int:
        return int(self.count[LEAVES])

    @property
    def horizon(self) -> int:
        """Leaves at which the game was not over."""
        return int(self.count[HORIZON])

    @property
    def best_line(self) -> tuple[Move, ...]:
        return tuple(self.line[0, : self.length[0]].tolist())


def tally_arrays(depth: int, any_move: bool = False, node_limit: int | None = None) -> dict[str, Any]:
    """Return the arrays of a tally for a search ``depth`` plies deep; ``any_move``: moves need not be integers."""
    count = np.zeros(8, dtype=np.int64)
    count[ROOT_DEPTH] = depth
    count[NODE_LIMIT] = np.iinfo(np.int64).max - 1 if node_limit is None else node_limit
    count[CHECKPOINT] = min(POLL_EVERY, count[NODE_LIMIT] + 1)
    rows = depth + 2
    kind: Any = object if any_move else np.int64
    return {"count": count, "line": np.zeros((rows, rows), dtype=kind), "length": np.zeros(rows, dtype=np.int64)}


class Event(NamedTuple):
    """One thing that happened.  Windows and values are as the algorithm has them: in negamax forms, the mover's."""

    kind: Literal["enter", "leaf", "update", "cut", "null window", "re-search", "recall", "restart", "return"]
    node: int
    """The number of the visit, counted from 0 in the order of entering."""
    parent: int | None
    """The visit from which this one was made; None for the root."""
    ply: int
    """Distance from the root."""
    state: State
    move: Move | None = None
    """enter: what led here; update, null window, re-search, recall: which move it is about; cut: the last one tried."""
    value: Any = None
    alpha: Any = None
    beta: Any = None
    terminal: bool | None = None
    """leaf: whether the game is over here, or the depth used up."""
    left_out: tuple[Move, ...] = ()
    """cut: the moves that are not searched."""


class _Visit:
    """A node on the recorder's stack."""

    def __init__(self, number: int, parent: int | None, state: State) -> None:
        self.number, self.parent, self.state = number, parent, state
        self.moves: list[Move] | None = None  # made at the first child
        self.tried = 0


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
            parent, move = above.number, self._moves(above)[above.tried]
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
        left_out = tuple(self._moves(here)[here.tried :])
        self._record("cut", depth, move=move, alpha=alpha, beta=beta, left_out=left_out)

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
