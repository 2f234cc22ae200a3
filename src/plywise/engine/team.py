"""Split points: the positions at which threads share the work of a parallel search.

A *split point* is a position whose moves several threads search.  The thread that creates it, its owner, returns its
value.  The owner searches the first moves alone, then opens the point; other threads, its helpers, join while there are
moves left.  A helper first registers (HELPERS) and then checks that the point is still open; the owner first closes the
point and then waits for the helpers to leave.  So no thread reads a row while it is rewritten for another position.

A waiting owner helps its helpers: it joins points beneath its own ("helpful master", Feldmann 1993).  It never joins
other points, which could keep it busy long after its own helpers are done.

Every split point but point 0 has a parent: the point its owner was working for when it created it.  A cutoff cancels
all work beneath a point: threads check the flags of all points that they work for (``Work.chain``).  Point 0 stands for
the whole search and has no moves: closing it sends all helpers home, calling it off stops the search.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from plywise.algorithms.common import infinity
from plywise.bits import any_number
from plywise.compiling.atomic import add, give_way, load, store, swap_if
from plywise.compiling.native import Native, inlined
from plywise.compiling.rows import put, state_at
from plywise.engine.node import Frame, Node, Search, new_node
from plywise.engine.table import NO_MOVE
from plywise.engine.work import CHAIN, HORIZON, PAIR, PAST, STACK_WORDS, Work
from plywise.game import Game, Move, Number, State
from plywise.inputs.limits import LONGEST_LINE

OPEN, HELPERS, LOCK, CALLED_OFF, START, SHARED, NEXT, END, OWNER, PARENT, LINKS, DEPTH, PLY, TRUSTED, LENGTH = range(15)
"""Words of a split point: whether helpers may join; the number of helpers inside; the write lock; whether the work was
cancelled; on the owner's stack, the first move, the first one to share, the next one, and the end of the moves; the
owner; the parent; the number of parents from here to point 0; the remaining depth; plies from the root; whether an
unproven value was used; the length of the line of best play."""
POINT_WORDS = 16
"""Words per split point: two cache lines."""

ALPHA, BETA, BEST = range(3)
"""Columns of ``Team.values``, for the player to move."""

WHOLE_SEARCH = 0
"""The split point that stands for the whole search."""

MOST_SPLITS = 64
"""The most split points that a thread can own at a time, nested.  Deeper down it searches alone."""

CUTOFF, SHARE = range(2)
"""Places in ``Team.settings``: the remaining depth at and below which nothing is split; percent of the moves to search
in order before the others."""

BY_ITSELF, ASKED = 1, 2
"""What called a search off: a thread that met a limit or an error, or a call of ``stop`` from Python."""

NOWHERE = -1


class SplitMove(NamedTuple):
    """One move of a split point, to be searched."""

    point: int
    """The split point; NOWHERE if no work is left."""
    move: Move
    state: State
    depth: int
    """The remaining depth before the move."""
    ply: int
    alpha: Number
    beta: Number
    first: bool
    """Whether it is the first move of the split point."""


class Team(Native):
    """One thread's view of the shared data; only ``me`` is its own.  Made by ``new_teams``."""

    me: np.ndarray
    """The number of this thread."""
    words: np.ndarray
    """All split points, POINT_WORDS words each: point 0, then MOST_SPLITS points for each thread."""
    values: np.ndarray
    positions: np.ndarray
    lines: np.ndarray
    """The line of best play at each split point."""
    used: np.ndarray
    """How many split points each thread owns."""
    stacks: np.ndarray
    """The stacks of moves of all threads."""
    paths: np.ndarray
    """The paths of all threads."""
    settings: np.ndarray

    # For owners -----------------------------------------------------------------------------------------------------

    def has_room(self) -> bool:
        """Return whether this thread can own one more split point."""
        return load(self.used, self.me[0]) < MOST_SPLITS

    def in_order(self, moves: int, narrows: bool) -> int:
        """Return how many moves the owner searches before it shares the others: all if there is only one thread."""
        if len(self.used) == 1:
            return moves
        return max(1, moves * self.settings[SHARE] // 100) if narrows else 0

    def make(self, game: Game, node: Node, end: int, narrows: bool, work: Work) -> int:
        """Create a split point for a position whose moves end at ``end`` on this thread's stack; returns its number."""
        me, top, links = self.me[0], node.frame.top, work.count[CHAIN]
        point = 1 + me * MOST_SPLITS + self.used[me]
        first = point * POINT_WORDS
        self.words[first + START], self.words[first + NEXT], self.words[first + END] = top, top, end
        self.words[first + SHARED] = top + PAIR * self.in_order((end - top) // PAIR, narrows)
        self.words[first + OWNER], self.words[first + LINKS] = me, links
        self.words[first + PARENT] = work.chain[links - 1] // POINT_WORDS
        self.words[first + DEPTH], self.words[first + PLY] = node.depth, node.frame.ply
        self.words[first + TRUSTED] = self.words[first + LENGTH] = 0
        self.values[point, ALPHA], self.values[point, BETA], self.values[point, BEST] = (
            node.alpha,
            node.beta,
            -infinity(game),
        )
        put(self.positions, point, 0, node.state)
        store(self.words, first + CALLED_OFF, 0)
        work.chain[links] = first + CALLED_OFF
        work.count[CHAIN] = links + 1
        add(self.used, me, 1)
        return point  # type: ignore[no-any-return]

    def share(self, point: int) -> None:
        """Open the point to helpers once the moves to search in order are taken."""
        first = point * POINT_WORDS
        place = self.words[first + NEXT]
        if self.words[first + SHARED] <= place < self.words[first + END] and self.words[first + OPEN] == 0:
            add(self.words, first + OPEN, 1)  # last: a thread that sees this write sees the others too

    def close(self, point: int) -> None:
        """Admit no more helpers."""
        if self.words[point * POINT_WORDS + OPEN] == 1:
            add(self.words, point * POINT_WORDS + OPEN, -1)

    def has_helpers(self, point: int) -> bool:
        """Return whether helpers are still inside; at point 0, whether the search goes on."""
        return add(self.words, point * POINT_WORDS + (OPEN if point == WHOLE_SEARCH else HELPERS), 0) > 0

    def release(self, point: int, work: Work) -> tuple[Number, Move]:
        """Free a closed split point without helpers; returns its best value and move."""
        first = point * POINT_WORDS
        ply, length = self.words[first + PLY], self.words[first + LENGTH]
        work.count[HORIZON] += self.words[first + TRUSTED]
        work.length[ply] = length
        for i in range(length):
            work.line[ply, i] = self.lines[point, i]
        work.count[CHAIN] -= 1
        add(self.used, self.me[0], -1)
        return self.values[point, BEST], self.lines[point, 0] if length > 0 else NO_MOVE

    # For helpers ----------------------------------------------------------------------------------------------------

    def candidate(self, under: int) -> int:
        """Return an open split point beneath ``under`` with moves left, the nearest to the root, or NOWHERE.

        The answer may be out of date at once; ``join`` checks again.
        """
        found, least = NOWHERE, 1 << 30
        for thread in range(len(self.used)):
            begin = 1 + thread * MOST_SPLITS
            for point in range(begin, begin + load(self.used, thread)):
                first = point * POINT_WORDS
                if load(self.words, first + OPEN) == 1 and load(self.words, first + NEXT) < load(
                    self.words, first + END
                ):
                    ply = load(self.words, first + PLY)
                    if ply < least and self.is_beneath(point, under):
                        found, least = point, ply
        return found

    def is_beneath(self, point: int, under: int) -> bool:
        """Return whether ``under`` is among the parents of ``point``, or point 0."""
        for _ in range(LONGEST_LINE):  # outside, parents read at different times may form a cycle
            if point in (under, WHOLE_SEARCH):
                break
            point = load(self.words, point * POINT_WORDS + PARENT)
        return point == under

    def join(self, under: int, work: Work) -> int:
        """Join a split point beneath ``under`` that needs help; returns its number, or NOWHERE."""
        point = self.candidate(under)
        if point != NOWHERE:
            add(self.words, point * POINT_WORDS + HELPERS, 1)
            if add(self.words, point * POINT_WORDS + OPEN, 0) == 1 and self.is_beneath(point, under):
                self.take_over(point, work)
                return point
            self.leave(point, under, work)
        return NOWHERE

    def leave(self, point: int, under: int, work: Work) -> None:
        """Leave ``point`` and work for ``under`` again."""
        add(self.words, point * POINT_WORDS + HELPERS, -1)
        work.count[CHAIN] = self.words[under * POINT_WORDS + LINKS] + 1

    def take_over(self, point: int, work: Work) -> None:
        """Copy the owner's chain and path, to stop when it would and to see the same repetitions."""
        first = point * POINT_WORDS
        work.count[CHAIN] = self.words[first + LINKS] + 1
        for link in range(self.words[first + LINKS], 0, -1):
            work.chain[link] = point * POINT_WORDS + CALLED_OFF
            point = self.words[point * POINT_WORDS + PARENT]
        owner = self.words[first + OWNER]
        for place in range(work.count[PAST] + self.words[first + PLY] + 1):
            work.path[place] = self.paths[owner, place]

    # For both --------------------------------------------------------------------------------------------------------

    def lock(self, point: int) -> None:
        """Acquire the write lock of a split point."""
        while not swap_if(self.words, point * POINT_WORDS + LOCK, 0, 1):
            give_way()

    def unlock(self, point: int) -> None:
        """Release the write lock."""
        add(self.words, point * POINT_WORDS + LOCK, -1)

    def next_job(self, game: Game, own: int, work: Work) -> SplitMove:
        """Return the next job for ``own``, this thread's split point: its next move; when all are taken, a move of a
        point beneath it while helpers are inside (then ``leave`` that point); at last none.
        """
        point, place = own, NOWHERE
        if not called_off(work):
            self.share(own)
            place = self.claim(own)
        if place == NOWHERE and own != WHOLE_SEARCH:
            self.close(own)
        while place == NOWHERE and self.has_helpers(own):
            point = self.join(own, work)
            if point == NOWHERE:
                give_way()
            elif called_off(work):
                self.leave(point, own, work)
            else:
                place = self.claim(point)
                if place == NOWHERE:
                    self.leave(point, own, work)
        return self.job(game, own if place == NOWHERE else point, place)

    def claim(self, point: int) -> int:
        """Return the place of the next move of a split point on its owner's stack, or NOWHERE."""
        place = add(self.words, point * POINT_WORDS + NEXT, PAIR)
        return place if place < self.words[point * POINT_WORDS + END] else NOWHERE

    def job(self, game: Game, point: int, place: int) -> SplitMove:
        """Return the search of the move at ``place``."""
        first = point * POINT_WORDS
        return SplitMove(
            point=point if place != NOWHERE else NOWHERE,
            move=self.stacks[self.words[first + OWNER], max(0, place) + 1],
            state=self.state(game, point),
            depth=int(self.words[first + DEPTH]),
            ply=int(self.words[first + PLY]),
            alpha=self.alpha(point),
            beta=self.values[point, BETA],
            first=place == self.words[first + START],
        )

    def end(self, point: int) -> int:
        """Return the end of the moves of a split point, on its owner's stack."""
        return int(self.words[point * POINT_WORDS + END])

    def alpha(self, point: int) -> Number:
        """Return the current alpha of a split point."""
        self.lock(point)
        alpha = self.values[point, ALPHA]
        self.unlock(point)
        return alpha  # type: ignore[no-any-return]

    def report(self, job: SplitMove, value: Number, narrows: bool, trusted: bool, work: Work) -> None:
        """Record the value of a move, exact inside the window, else a bound; with ``narrows``, raise alpha to it."""
        point, ply, first = job.point, job.ply, job.point * POINT_WORDS
        self.lock(point)
        if trusted:
            self.words[first + TRUSTED] = 1
        if value > self.values[point, BEST]:
            self.values[point, BEST] = value
            if value > self.values[point, ALPHA]:
                self.words[first + LENGTH] = work.length[ply + 1] + 1
                self.lines[point, 0] = job.move
                for i in range(work.length[ply + 1]):
                    self.lines[point, i + 1] = work.line[ply + 1, i]
                if narrows:
                    self.values[point, ALPHA] = value
                if value >= self.values[point, BETA]:
                    store(self.words, first + CALLED_OFF, 1)
        self.unlock(point)

    def node(self, search: Search, point: int) -> Node:
        """Return the node of a split point."""
        first = point * POINT_WORDS
        depth, ply = int(self.words[first + DEPTH]), int(self.words[first + PLY])
        frame = Frame(ply, int(self.words[first + START]), any_number(NO_MOVE), any_number(NO_MOVE))
        alpha, beta = self.values[point, ALPHA], self.values[point, BETA]
        return new_node(search, self.state(search.game, point), depth, alpha, beta, frame)

    @inlined
    def state(self, game: Game, point: int) -> State:
        """Return the position at a split point."""
        return state_at(game, self.positions, point)

    # From Python ----------------------------------------------------------------------------------------------------

    def begin(self, cutoff: int, share: int) -> None:
        """Prepare for a search."""
        self.words[:] = 0
        self.used[:] = 0
        self.words[WHOLE_SEARCH * POINT_WORDS + OPEN] = 1
        self.settings[CUTOFF], self.settings[SHARE] = cutoff, share

    def stop(self) -> None:
        """Call everything off."""
        self.words[WHOLE_SEARCH * POINT_WORDS + CALLED_OFF] = ASKED

    @property
    def stopped(self) -> int:
        """Whether the search was called off: 0, BY_ITSELF or ASKED."""
        return int(self.words[WHOLE_SEARCH * POINT_WORDS + CALLED_OFF])

    @property
    def length(self) -> np.ndarray:
        """An array as long as the longest line of play."""
        return self.lines[0]  # type: ignore[no-any-return]


def new_teams(works: list[Work], state_words: int, number: Any) -> tuple[list[Team], list[Work]]:
    """Return, for each thread, a view of the shared data and a workspace that uses it.

    Args:
        works: a workspace for each thread; the new ones share its counts and histories.
        state_words: the number of machine words in a position.
        number: the dtype of scores; object for plain Python.
    """
    threads = len(works)
    points = 1 + threads * MOST_SPLITS
    plies = LONGEST_LINE + 2
    shared = Team(
        me=np.zeros(1, dtype=np.int64),
        words=np.zeros(points * POINT_WORDS, dtype=np.int64),
        values=np.zeros((points, 3), dtype=number),
        positions=np.zeros((points, max(1, state_words)), dtype=object if number is object else np.int64),
        lines=np.zeros((points, plies), dtype=works[0].line.dtype),
        used=np.zeros(threads, dtype=np.int64),
        stacks=np.zeros((threads, STACK_WORDS), dtype=works[0].stack.dtype),
        paths=np.zeros((threads, 2 * plies), dtype=np.int64),
        settings=np.zeros(2, dtype=np.int64),
    )
    teams, members = [], []
    for me, work in enumerate(works):
        teams.append(dataclasses.replace(shared, me=np.array([me], dtype=np.int64)))
        shared.paths[me] = work.path
        members.append(dataclasses.replace(work, flags=shared.words, stack=shared.stacks[me], path=shared.paths[me]))
    return teams, members


def called_off(work: Work) -> bool:
    """Return whether any split point that a thread works for was cancelled."""
    flag = 0
    for i in range(work.count[CHAIN]):
        flag |= load(work.flags, work.chain[i])
    return flag != 0
