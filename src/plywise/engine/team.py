"""What threads that search together share: the positions at which they split the work.

A *split point* is a position whose moves several threads search.  The thread that opens it is its owner and returns its
value; others, its helpers, join while there are moves left.  A helper that has joined first says so (HELPERS) and then
looks whether the point is still open; the owner first closes it and then waits for the helpers to leave.  So nobody
reads a row that is being written for another position.

An owner that waits does not sleep: it helps its helpers, that is, joins points beneath its own ("helpful master",
Feldmann 1993).  It never joins others: what it waits for could be over long before those are.

Every split point but the first has a parent, the one that its owner was working for when it opened it.  A cutoff calls
off all work beneath a point: threads look at the flags of all points that they work for (``Work.chain``).  Point 0
stands for the search as a whole.  It has no moves: to close it is to send all helpers home, to call it off is to stop.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from plywise.compiling.atomic import add, give_way, load, store, swap_if
from plywise.compiling.native import Native, inlined
from plywise.compiling.rows import put, state_at
from plywise.engine.work import CHAIN, HORIZON, PAIR, PAST, STACK_WORDS, Work
from plywise.game import Game, Move, Number, State
from plywise.inputs.limits import LONGEST_LINE

OPEN, HELPERS, LOCK, CALLED_OFF, NEXT, END, OWNER, PARENT, LINKS, DEPTH, PLY, BEST_MOVE, TRUSTED, LENGTH = range(14)
"""Words of a split point: whether helpers may join; how many are inside; who may write has set it; whether the work is
of no use any more; the next move and the end of them, on the owner's stack; the owner; the parent, and how many parents
there are from here to point 0; the remaining depth; plies from the root; the best move; whether a value was taken on
trust; the length of the line of best play."""
WIDTH = 16
"""Words that a split point takes: two lines of the processor's cache."""

ALPHA, BETA, BEST = range(3)
"""Columns of ``Team.values``, for the player to move."""

WHOLE_SEARCH = 0
"""The split point that stands for the search as a whole."""

MOST_SPLITS = 64
"""Split points that a thread can have open at a time, one within the other.  Deeper down it searches alone."""

CUTOFF, SHARE = range(2)
"""Places in ``Team.settings``: the remaining depth at and below which nothing is split; percent of the moves that are
searched before the others, one after the other."""

BY_ITSELF, ASKED = 1, 2
"""What called a search off: a thread that met a limit or an error, or somebody in Python."""

NOWHERE = -1


class Team(Native):
    """One thread's view of what all share; only ``me`` is its own.  Made by ``new_team``."""

    me: np.ndarray
    """The number of this thread."""
    words: np.ndarray
    """All split points: WIDTH words each, MOST_SPLITS points a thread, after the first point."""
    values: np.ndarray
    positions: np.ndarray
    lines: np.ndarray
    """The line of best play at each split point."""
    used: np.ndarray
    """How many split points each thread has open."""
    stacks: np.ndarray
    """The stacks of moves of all threads."""
    paths: np.ndarray
    """The paths of all threads."""
    settings: np.ndarray

    def can_split(self) -> bool:
        """Return whether there is anybody to share work with, and room for one more split point."""
        return len(self.used) > 1 and load(self.used, self.me[0]) < MOST_SPLITS

    # The owner's part -----------------------------------------------------------------------------------------------

    def open(
        self, game: Game, state: State, depth: int, alpha: Number, beta: Number, best: Number, best_move: Move,
        ply: int, place: int, end: int, work: Work,
    ) -> int:  # fmt: skip
        """Split the moves from ``place`` to ``end`` on this thread's stack; returns the number of the point."""
        me = self.me[0]
        point = 1 + me * MOST_SPLITS + self.used[me]
        first = point * WIDTH
        links = work.count[CHAIN]
        self.words[first + NEXT], self.words[first + END], self.words[first + OWNER] = place, end, me
        self.words[first + PARENT], self.words[first + LINKS] = work.chain[links - 1] // WIDTH, links
        self.words[first + DEPTH], self.words[first + PLY], self.words[first + BEST_MOVE] = depth, ply, best_move
        self.words[first + TRUSTED] = 0
        self.words[first + LENGTH] = work.length[ply]
        for i in range(work.length[ply]):
            self.lines[point, i] = work.line[ply, i]
        self.values[point, ALPHA], self.values[point, BETA], self.values[point, BEST] = alpha, beta, best
        put(self.positions, point, 0, state)
        store(self.words, first + CALLED_OFF, 0)
        work.chain[links] = first + CALLED_OFF
        work.count[CHAIN] = links + 1
        add(self.used, me, 1)
        add(self.words, first + OPEN, 1)  # last: whoever sees it sees the rest
        return point  # type: ignore[no-any-return]

    @inlined
    def in_order(self, moves: int, narrows: bool) -> int:
        """Return how many of the moves are searched before the others: all, if there is nobody to help."""
        if not self.can_split():
            return moves
        return max(1, moves * self.settings[SHARE] // 100) if narrows else 0

    def close(self, point: int) -> None:
        """Let no more helpers in."""
        add(self.words, point * WIDTH + OPEN, -1)

    def has_helpers(self, point: int) -> bool:
        """Return whether anybody is still inside; at point 0, whether the search goes on."""
        return add(self.words, point * WIDTH + (OPEN if point == WHOLE_SEARCH else HELPERS), 0) > 0

    def release(self, point: int, ply: int, work: Work) -> tuple[Number, Move]:
        """Give a closed and deserted split point back; returns the best value and move that were found there."""
        first = point * WIDTH
        work.count[HORIZON] += self.words[first + TRUSTED]
        work.length[ply] = self.words[first + LENGTH]
        for i in range(self.words[first + LENGTH]):
            work.line[ply, i] = self.lines[point, i]
        work.count[CHAIN] -= 1
        add(self.used, self.me[0], -1)
        return self.values[point, BEST], self.words[first + BEST_MOVE]

    # The helper's part ----------------------------------------------------------------------------------------------

    def candidate(self, under: int) -> int:
        """Return an open split point beneath ``under`` with moves left, the nearest to the root, or NOWHERE.

        What is true of a point may be so no longer when one gets there: ``join`` tells.
        """
        found, least = NOWHERE, 1 << 30
        for thread in range(len(self.used)):
            begin = 1 + thread * MOST_SPLITS
            for point in range(begin, begin + load(self.used, thread)):
                first = point * WIDTH
                if load(self.words, first + OPEN) == 1 and load(self.words, first + NEXT) < load(
                    self.words, first + END
                ):
                    ply = load(self.words, first + PLY)
                    if ply < least and self.is_beneath(point, under):
                        found, least = point, ply
        return found

    def is_beneath(self, point: int, under: int) -> bool:
        """Return whether ``under`` is among the parents of ``point``, or point 0."""
        for _ in range(LONGEST_LINE):  # who is not inside may read parents of different times, even in a circle
            if point in (under, WHOLE_SEARCH):
                break
            point = load(self.words, point * WIDTH + PARENT)
        return point == under

    def join(self, under: int) -> int:
        """Go inside a split point beneath ``under`` that needs help; returns its number, or NOWHERE."""
        point = self.candidate(under)
        if point != NOWHERE:
            add(self.words, point * WIDTH + HELPERS, 1)
            if add(self.words, point * WIDTH + OPEN, 0) == 1 and self.is_beneath(point, under):
                return point
            self.leave(point)
        return NOWHERE

    def leave(self, point: int) -> None:
        """Go outside again."""
        add(self.words, point * WIDTH + HELPERS, -1)

    def take_over(self, point: int, work: Work) -> None:
        """Work for ``point`` as its owner does: give up when it would, and know the path there."""
        first = point * WIDTH
        work.count[CHAIN] = self.words[first + LINKS] + 1
        for link in range(self.words[first + LINKS], 0, -1):
            work.chain[link] = point * WIDTH + CALLED_OFF
            point = self.words[point * WIDTH + PARENT]
        owner = self.words[first + OWNER]
        for place in range(work.count[PAST] + self.words[first + PLY] + 1):
            work.path[place] = self.paths[owner, place]

    def place_of(self, point: int) -> tuple[int, int, Number]:
        """Return the remaining depth, the plies from the root, and beta."""
        return self.words[point * WIDTH + DEPTH], self.words[point * WIDTH + PLY], self.values[point, BETA]

    # Both ------------------------------------------------------------------------------------------------------------

    def lock(self, point: int) -> None:
        """Wait for the right to write, which ``unlock`` returns."""
        while not swap_if(self.words, point * WIDTH + LOCK, 0, 1):
            give_way()

    def unlock(self, point: int) -> None:
        """See ``lock``."""
        add(self.words, point * WIDTH + LOCK, -1)

    def claim(self, point: int) -> tuple[Move, bool]:
        """Return the next move of a split point, and whether there is one."""
        first = point * WIDTH
        place = add(self.words, first + NEXT, PAIR)
        found = place < self.words[first + END]
        return self.stacks[self.words[first + OWNER], place + 1 if found else 1], found

    def alpha(self, point: int) -> Number:
        """Return the best value of the window that is certain by now."""
        self.lock(point)
        alpha = self.values[point, ALPHA]
        self.unlock(point)
        return alpha  # type: ignore[no-any-return]

    def report(self, point: int, move: Move, value: Number, narrows: bool, trusted: bool, work: Work) -> None:
        """Tell what a move is worth: a bound at or outside the window, or exact; ``narrows``: alpha follows it."""
        first = point * WIDTH
        ply = self.words[first + PLY]
        self.lock(point)
        if trusted:
            self.words[first + TRUSTED] = 1
        if value > self.values[point, BEST]:
            self.values[point, BEST] = value
            if value > self.values[point, ALPHA]:
                self.words[first + BEST_MOVE] = move
                self.words[first + LENGTH] = work.length[ply + 1] + 1
                self.lines[point, 0] = move
                for i in range(work.length[ply + 1]):
                    self.lines[point, i + 1] = work.line[ply + 1, i]
                if narrows:
                    self.values[point, ALPHA] = value
                if value >= self.values[point, BETA]:
                    store(self.words, first + CALLED_OFF, 1)
        self.unlock(point)

    @inlined
    def state(self, game: Game, point: int) -> State:
        """Return the position at a split point."""
        return state_at(game, self.positions, point)

    # From Python ----------------------------------------------------------------------------------------------------

    def begin(self, cutoff: int, share: int) -> None:
        """Get ready for a search."""
        self.words[:] = 0
        self.used[:] = 0
        self.words[WHOLE_SEARCH * WIDTH + OPEN] = 1
        self.settings[CUTOFF], self.settings[SHARE] = cutoff, share

    def stop(self) -> None:
        """Call everything off."""
        self.words[WHOLE_SEARCH * WIDTH + CALLED_OFF] = ASKED

    @property
    def stopped(self) -> int:
        """Whether the search was called off: 0, BY_ITSELF or ASKED."""
        return int(self.words[WHOLE_SEARCH * WIDTH + CALLED_OFF])

    @property
    def length(self) -> np.ndarray:
        """As long as a line of play may be."""
        return self.lines[0]  # type: ignore[no-any-return]


def new_teams(works: list[Work], state_words: int, number: Any) -> tuple[list[Team], list[Work]]:
    """Return a view of what they share for each thread, and their workspaces as parts of it.

    Args:
        works: a workspace a thread; the new ones share their counts with these, and what these have learned.
        state_words: how many machine words a position takes.
        number: the type of a score in an array.
    """
    threads = len(works)
    points = 1 + threads * MOST_SPLITS
    plies = LONGEST_LINE + 2
    shared = Team(
        me=np.zeros(1, dtype=np.int64),
        words=np.zeros(points * WIDTH, dtype=np.int64),
        values=np.zeros((points, 3), dtype=number),
        positions=np.zeros((points, max(1, state_words)), dtype=np.int64),
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
    """Return whether any of the split points that a thread works for needs no more work."""
    flag = 0
    for i in range(work.count[CHAIN]):
        flag |= load(work.flags, work.chain[i])
    return flag != 0
