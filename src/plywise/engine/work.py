"""The workspace of one thread of an engine: everything that a search writes, except the table.  Threads that search
together share what they learn about moves (LEARNED), and marks (``sharing``).

The moves of all positions on the path share one stack, as pairs of worth and move.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from plywise.bits import shift_left, shift_right
from plywise.compiling.atomic import load
from plywise.compiling.hashing import signature
from plywise.compiling.native import Native, inlined
from plywise.compiling.rows import put
from plywise.engine.margins import MARGINS, MOST_REDUCED, usual_margins, usual_reductions
from plywise.engine.table import NO_MOVE
from plywise.errors import SearchError, Stopped
from plywise.game import MAX, Game, Move, Number, State
from plywise.inputs.limits import LONGEST_LINE, TOO_LONG_A_LINE

(
    NODES, LIMIT, HORIZON, LOOP, PAST, CHAIN, DEEPEST_PLY, CHOSEN, CHOICE, ON_AVERAGE, SHARE, NOTABLE,
    NOTED, EFFORT, ROOT_PLY,
) = range(15)  # fmt: skip
"""Places in ``Work.count``: nodes entered; the node limit, -1 to stop at once; the number of unproven values used
(positions evaluated or pruned before the end of the game); the earliest place on the path that a repetition led back
to; the number of positions on the path before the root; the length of ``Work.chain``; the largest distance from the
root, in plies; the length of ``Work.chosen``, and a hash of its contents; the number of chance nodes on the path; the
outcome of chance that this thread begins with, in SHARES of all; the least nodes of an exact answer to be noted, and
the number of notes so far; the nodes that the best root move took, in the end as a share of all, in EFFORTS; the plies
between the root and the position that the search starts from, if it is a part of a larger search."""

SHARES = 1 << 10

ODDS, FLOOR, CEILING = range(3)
"""Columns of ``Work.odds``."""

EFFORTS = 1000

NOTES = 1 << 12
"""How many notes are kept (``Work.notes``): the last ones."""

PAIR = 2
"""Words per move on the stack."""

STACK_WORDS = 1 << 17
HISTORIES = 1 << 12
"""Moves that are equal modulo this share their history."""

HISTORY_LIMIT = 1 << 14
"""The largest absolute history of a move; it fits in 16 bits."""

BESIDE_GAIN = 16
"""The history of a noisy move is divided by this before it is added to the gain."""

TRAITS = 1 << 9
"""Traits that are equal modulo this share their continuation history."""

NO_TRAIT = -1
"""The trait of a null move, and of moves before the root."""

NEVER = 1 << 40
"""A place beyond any path: no repetition."""

MOST_CHOSEN = 1 << 12
"""The most root moves, if only some are searched."""

MARK_BITS, MARK_WAYS = 10, 4
"""The size of the table of marks: the number of bits of a mark that choose its set, and of places in a set."""

POLL = 255
"""A thread checks whether its work was cancelled at every node whose number has none of these bits set."""

TOO_LONG = f"{TOO_LONG_A_LINE}, or has too many moves: give depth="
THIRD_PLAYER = "the engine is for two players whose scores sum to zero; this game has more and needs maxn"


_PLIES = LONGEST_LINE + 2

LARGE: dict[str, tuple[int, ...]] = {
    "stack": (STACK_WORDS,), "reductions": (MOST_REDUCED, MOST_REDUCED), "countermoves": (2, HISTORIES),
    "history": (2, HISTORIES), "continuation": (2, TRAITS, TRAITS), "notes": (NOTES, 4),
}  # fmt: skip
SMALL: dict[str, tuple[int, ...]] = {
    "count": (16,), "path": (2 * _PLIES,), "length": (_PLIES,), "killers": (_PLIES, 2), "noisy": (2, TRAITS),
    "traits": (_PLIES + 2,), "static_evals": (_PLIES,), "chosen": (MOST_CHOSEN,), "first": (1,), "best": (1,),
    "known": (1, 2), "odds": (0, 3), "flags": (1,), "marks": (0,), "chain": (_PLIES,), "margins": (len(MARGINS),),
    "cuts": (_PLIES + 2,), "doubled": (_PLIES + 2,),
}  # fmt: skip
"""The shapes of the arrays of a workspace."""

LEARNED = ("countermoves", "history", "continuation", "noisy")
"""What threads learn in common about moves."""

REAL = ("static_evals", "best", "odds", "margins", "reductions")
KINDS = {"continuation": np.int16, **dict.fromkeys(REAL, np.float64)}
"""The arrays that do not hold words."""

MOVES = ("stack", "killers", "countermoves", "chosen", "first", "known")
"""The arrays that hold moves, besides ``line``; in plain Python a move may be any object."""

FILLINGS = {"killers": -1, "countermoves": -1, "traits": NO_TRAIT, "first": NO_MOVE}
"""What the arrays hold at first that are not empty."""

LINE_BYTES = 128
"""Two cache lines: processors fetch them in pairs."""


class Work(Native):
    """A workspace.  Made by ``new_work``."""

    count: np.ndarray
    stack: np.ndarray
    """The moves of all positions on the path, each preceded by its worth."""
    odds: np.ndarray
    """For the outcomes of chance on the stack, by their places there: the probability, and the bounds of the value;
    empty in games without chance."""
    path: np.ndarray
    """The marks (``path_mark``) of the positions before the root and on the path."""
    line: np.ndarray
    """Row ``ply`` holds the line of best play from there; its first ``length[ply]`` items count."""
    length: np.ndarray
    killers: np.ndarray
    """Killers: for each ply, two quiet moves that caused a cutoff there."""
    countermoves: np.ndarray
    """The quiet move that refuted the previous move, by player and previous move."""
    history: np.ndarray
    """The history of quiet moves, by player and move."""
    continuation: np.ndarray
    """The continuation history of quiet moves, by player and the traits of the earlier move and this one."""
    noisy: np.ndarray
    """The capture history: of noisy moves, by player and trait."""
    traits: np.ndarray
    """The traits of the moves on the path; the trait of the move made at ``ply`` is at ``ply + 2``."""
    static_evals: np.ndarray
    """The static evaluations of the positions on the path, for the player to move."""
    margins: np.ndarray
    """The margins of selective search (``engine.margins``)."""
    reductions: np.ndarray
    """Late-move reductions in plies, by depth and move number."""
    cuts: np.ndarray
    """Whether a cutoff is expected, by ply: 0 or 1."""
    doubled: np.ndarray
    """How many moves before each ply were extended by two plies."""
    chosen: np.ndarray
    """The root moves to search, if not all."""
    first: np.ndarray
    """One move: the root move to search first, whatever the table says; NO_MOVE for none."""
    best: np.ndarray
    """One number: the value of ``line`` at the root."""
    known: np.ndarray
    """The bounds that exact search has proven for the player to move at its root, as words."""
    flags: np.ndarray
    """Shared by threads: the words of all split points, which say which of them are cancelled."""
    marks: np.ndarray
    """Shared by threads: the marks of the moves that they search (``sharing``); empty for one thread."""
    notes: np.ndarray
    """The latest large entries of the table, for other machines (``engine.facts``): for each, what gives the bucket,
    the signature, the second word of the entry, and a check word."""
    chain: np.ndarray
    """The places in ``flags`` of the split points that this thread works for."""

    @inlined
    def enter(self) -> None:
        """Count a node; raise ``Stopped`` at the limit or if the work was cancelled."""
        nodes = self.count[NODES] + 1
        if nodes > load(self.count, LIMIT):
            raise Stopped
        self.count[NODES] = nodes
        if nodes & POLL == 0:
            for i in range(self.count[CHAIN]):
                if load(self.flags, self.chain[i]) != 0:
                    raise Stopped

    @inlined
    def push(self, end: int, move: Move) -> int:
        """Put a move on the stack at ``end``; returns the first free place after it."""
        if end > STACK_WORDS - PAIR:
            raise SearchError(TOO_LONG)
        self.stack[end + 1] = move
        return end + PAIR

    @inlined
    def collect(self, game: Game, state: State, top: int) -> int:
        """Put the candidates on the stack; returns the first free place after them."""
        end = top
        for move in game.candidates(state):
            end = self.push(end, move)
        return end

    @inlined
    def salt(self, ply: int) -> int:
        """Return a salt that separates a root with chosen moves from the same position elsewhere."""
        return self.count[CHOICE] if ply == 0 else 0

    @inlined
    def collect_chosen(self, top: int) -> int:
        """Put the chosen root moves on the stack; returns the first free place after them."""
        end = top
        for i in range(self.count[CHOSEN]):
            end = self.push(end, self.chosen[i])
        return end

    @inlined
    def sort(self, game: Game, state: State, top: int, end: int) -> None:
        """Sort the moves from ``top`` to ``end`` by the game's own order, best first."""
        for place in range(top, end, PAIR):
            self.insert(game.order(state, self.stack[place + 1]), top, place)

    @inlined
    def insert(self, worth: int, top: int, place: int) -> None:
        """Set the worth of the move at ``place``, and move it before all worse ones from ``top`` on."""
        move = self.stack[place + 1]
        while place > top and self.stack[place - PAIR] < worth:
            self.stack[place] = self.stack[place - PAIR]
            self.stack[place + 1] = self.stack[place - 1]
            place -= PAIR
        self.stack[place] = worth
        self.stack[place + 1] = move

    @inlined
    def pick(self, place: int, end: int) -> Move:
        """Swap the best of the moves from ``place`` to ``end`` to ``place``, and return it.

        Nodes that prune many moves spend much of their time here, so it is written for speed: one ``load`` per move,
        which unlike ``[]`` does not test for a negative index, and no branch to mispredict.
        """
        best, worth = place, load(self.stack, place)
        for other in range(place + PAIR, end, PAIR):
            rival = load(self.stack, other)
            if rival > worth:
                best, worth = other, rival
        move = self.stack[best + 1]
        self.stack[best], self.stack[best + 1] = self.stack[place], self.stack[place + 1]
        self.stack[place], self.stack[place + 1] = worth, move
        return move

    @inlined
    def advance(self, hint: Move, top: int, end: int) -> None:
        """Move ``hint`` to the front of the moves from ``top`` to ``end``, if it is among them."""
        for place in range(top + PAIR, end, PAIR):
            if self.stack[place + 1] == hint:
                while place > top:
                    self.stack[place] = self.stack[place - PAIR]
                    self.stack[place + 1] = self.stack[place - 1]
                    place -= PAIR
                self.stack[top + 1] = hint

    # The line of best play ------------------------------------------------------------------------------------------

    def extend_line(self, ply: int, move: Move) -> None:
        """Make ``move`` and the line after it the line at ``ply``."""
        self.line[ply, 0] = move
        for i in range(self.length[ply + 1]):
            self.line[ply, i + 1] = self.line[ply + 1, i]
        self.length[ply] = self.length[ply + 1] + 1

    @inlined
    def raise_line(self, ply: int, move: Move, value: Number, beta: Number, begun: int) -> None:
        """Keep the line of a move that is better than alpha; if it fails high, only at the root.  Its search began at
        the node with the number ``begun``.
        """
        if value < beta or ply == 0:
            self.extend_line(ply, move)
        if ply == 0:
            self.best[0] = value
            self.count[EFFORT] = self.count[NODES] - begun

    @inlined
    def weigh_effort(self, begun: int) -> None:
        """Make EFFORT a share of the nodes since ``begun``."""
        self.count[EFFORT] = self.count[EFFORT] * EFFORTS // max(1, self.count[NODES] - begun)

    # Proven and unproven values -------------------------------------------------------------------------------------

    @inlined
    def narrow(self, low: Number, high: Number) -> None:
        """Publish bounds of the root's value for other threads."""
        put(self.known, 0, 0, low)
        put(self.known, 0, 1, high)

    @inlined
    def on_trust(self, value: Number) -> Number:
        """Return an unproven value, and count it."""
        self.count[HORIZON] += 1
        return value

    # Repetitions ----------------------------------------------------------------------------------------------------

    @inlined
    def repeats(self, mark: int, ply: int, reversible: int) -> int:
        """Put a position's ``path_mark`` on the path; returns the place of the same mark at most ``reversible`` plies
        before it, or -1.
        """
        here = self.count[PAST] + ply
        self.path[here] = mark
        for place in range(here - 1, max(-1, here - 1 - reversible), -1):
            if self.path[place] == mark:
                return place
        return -1

    @inlined
    def begin_loop(self) -> int:
        """Start to record repetitions below a node; returns the argument for ``end_loop``."""
        outer = self.count[LOOP]
        self.count[LOOP] = NEVER
        return outer  # type: ignore[no-any-return]

    @inlined
    def end_loop(self, outer: int, counts: bool) -> None:
        """Return to the parent; if ``counts``, the repetitions found below this node count for it too."""
        self.count[LOOP] = min(outer, self.count[LOOP]) if counts else outer

    @inlined
    def trail(self, ply: int, reversible: int) -> int:
        """Return a hash of the positions on the path that may still be repeated."""
        here = self.count[PAST] + ply
        total = reversible  # it may limit how long the game can go on
        for place in range(max(0, here - reversible), here):
            total ^= int(self.path[place])
            total = shift_left(total, 7) | shift_right(total, 57)
        return total

    # Killers, countermoves and history ------------------------------------------------------------------------------

    @inlined
    def quiet_worth(self, player: int, ply: int, previous: Move, move: Move, trait: int) -> int:
        """Return the worth of a quiet move: killers first, then the countermove, then by history."""
        if move == self.killers[ply, 0]:
            return 8 * HISTORY_LIMIT
        if move == self.killers[ply, 1]:
            return 7 * HISTORY_LIMIT
        if move == self.countermoves[player, previous % HISTORIES]:
            return 6 * HISTORY_LIMIT
        return self.quiet_history(player, ply, move, trait)

    @inlined
    def quiet_history(self, player: int, ply: int, move: Move, trait: int) -> int:
        """Return the history of a quiet move: overall, after the previous move, and after the one before that."""
        total = int(self.history[player, move % HISTORIES])
        for back in range(ply, ply + 2):
            earlier = self.traits[back]
            if earlier != NO_TRAIT:
                total += int(self.continuation[player, earlier, trait % TRAITS])
        return total

    @inlined
    def noisy_history(self, player: int, trait: int) -> int:
        """Return the history of a noisy move, scaled to be added to its gain."""
        return self.noisy[player, trait % TRAITS] // BESIDE_GAIN  # type: ignore[no-any-return]

    @inlined
    def add_killer(self, ply: int, move: Move) -> None:
        """Make ``move`` the first killer."""
        if self.killers[ply, 0] != move:
            self.killers[ply, 1] = self.killers[ply, 0]
            self.killers[ply, 0] = move

    def reward(self, player: int, ply: int, move: Move, trait: int, bonus: int) -> None:
        """Add a bonus to the history of a quiet move; the nearer it is to the limit, the less."""
        self.history[player, move % HISTORIES] = nudged(int(self.history[player, move % HISTORIES]), bonus)
        for back in range(ply, ply + 2):
            earlier = self.traits[back]
            if earlier != NO_TRAIT:
                old = int(self.continuation[player, earlier, trait % TRAITS])
                self.continuation[player, earlier, trait % TRAITS] = nudged(old, bonus)

    @inlined
    def remember(self, ply: int, trait: int) -> None:
        """Record the trait of the move made at ``ply``."""
        self.traits[ply + 2] = trait % TRAITS if trait != NO_TRAIT else NO_TRAIT

    @inlined
    def expect(self, ply: int, cut: bool, doubled: bool) -> None:
        """Record for the position after the move at ``ply`` whether a cutoff is expected there, and whether the move is
        extended by two plies.
        """
        self.cuts[ply + 1] = 1 if cut else 0
        self.doubled[ply + 1] = self.doubled[ply] + (1 if doubled else 0)

    # From Python ----------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop the running search at its next node."""
        self.count[LIMIT] = -1

    def begin(self, limit: int | None) -> None:
        """Prepare for a search of at most ``limit`` nodes."""
        self.count[NODES] = self.count[CHAIN] = self.count[ROOT_PLY] = 0
        self.choose(())
        self.allow(limit)

    def allow(self, limit: int | None) -> None:
        """Set the node limit; None for no limit."""
        self.count[LIMIT] = np.iinfo(np.int64).max if limit is None else limit

    def choose(self, moves: Sequence[Move]) -> None:
        """Search only these moves at the root; empty for all."""
        if len(moves) > MOST_CHOSEN:
            raise SearchError(f"{len(moves):,} root moves are too many: at most {MOST_CHOSEN:,} are allowed")
        self.chosen[: len(moves)] = moves
        self.count[CHOSEN] = len(moves)
        self.count[CHOICE] = signature(tuple(sorted(moves))) if moves else 0

    def follow(self, main: Work) -> None:
        """Prepare to search the same root moves as another thread, the same one first."""
        self.chosen[:] = main.chosen
        self.first[:] = main.first
        self.count[[CHOSEN, CHOICE]] = main.count[[CHOSEN, CHOICE]]
        self.count[DEEPEST_PLY] = 0

    def adopt(self, other: Work) -> None:
        """Take over the result of another thread: the line of best play, its value, and whether it is proven."""
        self.length[0] = other.length[0]
        self.line[0, : other.length[0]] = other.line[0, : other.length[0]]
        self.best[:] = other.best
        self.count[[HORIZON, EFFORT]] = other.count[[HORIZON, EFFORT]]
        self.count[DEEPEST_PLY] = max(self.count[DEEPEST_PLY], other.count[DEEPEST_PLY])

    def forget(self) -> None:
        """Forget killers, countermoves and history."""
        self.killers[:] = self.countermoves[:] = -1
        self.history[:] = self.continuation[:] = self.noisy[:] = 0

    @property
    def nodes(self) -> int:
        return int(self.count[NODES])

    @property
    def best_line(self) -> tuple[Move, ...]:
        return tuple(self.line[0, : self.length[0]].tolist())


def new_work(plain: bool = False, dice: bool = False) -> Work:
    """Return a workspace; a ``plain`` one is for plain Python, whose integers are not machine words, one with ``dice``
    for games with chance.
    """
    odds = {"odds": np.empty((STACK_WORDS, 3))} if dice else {}
    return _pattern(plain).with_arrays(**{**_memory(plain), **odds})


def new_works(threads: int, dice: bool = False) -> list[Work]:
    """Return workspaces for threads that search the same position: what they learn about moves is common to them."""
    works = [new_work(dice=dice) for _ in range(threads)]
    for place, work in enumerate(works):
        work.count[SHARE] = place * SHARES // threads
    if threads > 1:
        common = {name: getattr(works[0], name) for name in LEARNED}
        common["marks"] = np.zeros(MARK_WAYS << MARK_BITS, dtype=np.int64)
        works = [work.with_arrays(**common) for work in works]
    return works


@functools.cache
def _pattern(plain: bool) -> Work:
    return Work(**_memory(plain))


def _memory(plain: bool) -> dict[str, np.ndarray]:
    """Return the arrays of a workspace.  Small ones lie in one block, on cache lines of their own: two threads that
    write to one line slow each other down.
    """
    places, size = _places()
    block = np.zeros(size + LINE_BYTES, dtype=np.uint8)
    block = block[-block.ctypes.data % LINE_BYTES :]
    memory = {name: block[first:end].view(kind).reshape(shape) for name, first, end, shape, kind in places}
    memory.update((name, np.zeros(shape, dtype=KINDS.get(name, np.int64))) for name, shape in LARGE.items())
    if plain:
        memory.update((name, np.zeros_like(memory[name], dtype=object)) for name in (*MOVES, "best"))
    # To clear the lines would take longer than a small search.
    memory["line"] = np.empty((_PLIES, _PLIES), dtype=object if plain else np.int64)
    memory["count"][NOTABLE] = np.iinfo(np.int64).max
    memory["margins"][:], memory["reductions"][:] = usual_margins(), usual_reductions()
    for name, filling in FILLINGS.items():
        memory[name][:] = filling
    return memory


@functools.cache
def _places() -> tuple[list[tuple[str, int, int, tuple[int, ...], Any]], int]:
    """Return the name, the first and last byte, the shape and the type of each small array, and the size of all."""
    places, size = [], 0
    for name, shape in SMALL.items():
        kind = np.dtype(KINDS.get(name, np.int64))
        end = size + math.prod(shape) * kind.itemsize
        places.append((name, size, end, shape, kind))
        size = -(-end // LINE_BYTES) * LINE_BYTES
    return places, size


@inlined
def path_mark(game: Game, state: State) -> int:
    """Return a mark that identifies a position on a path: a key need not include the player to move."""
    return mark(*game.recurring(state))


@inlined
def mark(key: Any, player: int) -> int:
    """Return ``path_mark`` for what ``Recurrence.recurring`` returns."""
    return signature(key) if player == MAX else ~signature(key)


@inlined
def nudged(old: int, bonus: int) -> int:
    """Return a history with a bonus added; the nearer it is to the limit, the less."""
    return old + bonus - old * abs(bonus) // HISTORY_LIMIT
