"""The workspace of one thread of an engine: everything that a search writes, except for the shared table.

The moves of all positions on the path lie on one stack, as pairs of a move's order and the move itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plywise.bits import shift_left, shift_right
from plywise.compiling.atomic import load
from plywise.compiling.hashing import signature
from plywise.compiling.native import Native, inlined
from plywise.compiling.rows import put
from plywise.engine.table import NO_MOVE
from plywise.errors import SearchError, Stopped
from plywise.game import MAX, Game, Move, Number, State
from plywise.inputs.limits import LONGEST_LINE

NODES, LIMIT, HORIZON, LOOP, PAST, CHAIN, DEEPEST, CHOSEN, CHOICE = range(9)
"""Places in ``Work.count``: nodes entered; how many may be, -1 to stop at once; how many values were taken on trust
(a position that was evaluated, or left out, before the end of the game); the earliest place on the path that a
repetition led back to; how many positions the path holds from before the root; the length of ``Work.chain``; the
longest way from the root, in plies; the length of ``Work.chosen``, and a number that stands for what it holds."""

PAIR = 2
"""Words that a move takes on the stack."""

STACK_WORDS = 1 << 17
HISTORIES = 1 << 12
"""Moves that share a number modulo this share their history."""

HISTORY_LIMIT = 1 << 14
"""The most that can be known of a move, for or against it; what is remembered of one fits in 16 bits."""

BESIDE_GAIN = 16
"""How much less what is known of a noisy move counts than what it gains."""

TRAITS = 1 << 9
"""Moves whose traits share a number modulo this share what followed them."""

NO_TRAIT = -1
"""Of a pass, and of what came before the root."""

MOST_REDUCED = 64
"""Depths and numbers of moves from here on are reduced alike."""

NEVER = 1 << 40
"""No place on a path."""

MOST_CHOSEN = 1 << 12
"""Moves at the root, where not all are to be searched."""

POLL = 255
"""A thread looks for a reason to give up whenever so many nodes, and one, are over."""

TOO_LONG = f"a line of play did not end within {LONGEST_LINE} plies, or has too many moves: give depth="
THIRD_PLAYER = "the engine is for two players whose scores sum to zero; this game has more and needs maxn"


class Work(Native):
    """Made by ``new_work``."""

    count: np.ndarray
    stack: np.ndarray
    path: np.ndarray
    """The marks (``path_mark``) of the positions before the root and on the path."""
    line: np.ndarray
    """Row ``ply`` holds the line of best play from there; its first ``length[ply]`` items count."""
    length: np.ndarray
    killers: np.ndarray
    counters: np.ndarray
    history: np.ndarray
    """By player and move."""
    follow_ups: np.ndarray
    """By player, the trait of an earlier move and that of a move."""
    noisy: np.ndarray
    """By player and the trait of a noisy move."""
    traits: np.ndarray
    """Of the moves on the path; that of the move made at ``ply`` is at ``ply + 2``."""
    judged: np.ndarray
    """The evaluations of the positions on the path, for who moves there."""
    reductions: np.ndarray
    """By depth and number of the move."""
    chosen: np.ndarray
    """The moves to search at the root, where not all are to be."""
    first: np.ndarray
    """One move: the one to search first at the root, whatever the table says; NO_MOVE for none."""
    best: np.ndarray
    """One number: what ``line`` is worth at the root."""
    known: np.ndarray
    """What exact search has proven: the least and the most that the player to move at its root gets, as words."""
    flags: np.ndarray
    """Shared by threads: which of the positions that threads search together need no more work."""
    chain: np.ndarray
    """Those of them that this thread is working for."""

    @inlined
    def enter(self) -> None:
        """Count a node; stop the search if it is time to."""
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
        """Return what tells a root at which not all moves are searched from the same position elsewhere."""
        return self.count[CHOICE] if ply == 0 else 0

    @inlined
    def collect_chosen(self, top: int) -> int:
        """Put the moves to search at the root on the stack; returns the first free place after them."""
        end = top
        for i in range(self.count[CHOSEN]):
            end = self.push(end, self.chosen[i])
        return end

    @inlined
    def sort(self, game: Game, state: State, top: int, end: int) -> None:
        """Sort the moves from ``top`` to ``end`` by the game's own order, the best first."""
        for place in range(top, end, PAIR):
            self.insert(game.order(state, self.stack[place + 1]), top, place)

    @inlined
    def insert(self, worth: int, top: int, place: int) -> None:
        """Give the move at ``place`` its order, and move it before all worse ones from ``top`` on."""
        move = self.stack[place + 1]
        while place > top and self.stack[place - PAIR] < worth:
            self.stack[place] = self.stack[place - PAIR]
            self.stack[place + 1] = self.stack[place - 1]
            place -= PAIR
        self.stack[place] = worth
        self.stack[place + 1] = move

    @inlined
    def pick(self, place: int, end: int) -> Move:
        """Put the best of the moves from ``place`` to ``end`` first, and return it.

        Nodes in which many moves are left out spend much of their time here, so it is written for the processor: one
        ``load`` a move, which unlike ``[]`` has no test for an index below 0, and no branch to mispredict.
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
        """Put the move ``hint``, if it is among those from ``top`` to ``end``, before the others."""
        for place in range(top + PAIR, end, PAIR):
            if self.stack[place + 1] == hint:
                while place > top:
                    self.stack[place] = self.stack[place - PAIR]
                    self.stack[place + 1] = self.stack[place - 1]
                    place -= PAIR
                self.stack[top + 1] = hint

    # The line of best play ------------------------------------------------------------------------------------------

    def extend_line(self, ply: int, move: Move) -> None:
        """Make ``move``, and the line after it, the line at ``ply``."""
        self.line[ply, 0] = move
        for i in range(self.length[ply + 1]):
            self.line[ply, i + 1] = self.line[ply + 1, i]
        self.length[ply] = self.length[ply + 1] + 1

    # What is proven -------------------------------------------------------------------------------------------------

    @inlined
    def narrow(self, low: Number, high: Number) -> None:
        """Let other threads know between which values the root's lies."""
        put(self.known, 0, 0, low)
        put(self.known, 0, 1, high)

    # Repetitions ----------------------------------------------------------------------------------------------------

    @inlined
    def repeats(self, mark: int, ply: int, reversible: int) -> int:
        """Put a position, by its ``path_mark``, on the path; returns the place of the same one not too far before it,
        or -1.
        """
        here = self.count[PAST] + ply
        self.path[here] = mark
        for place in range(here - 1, max(-1, here - 1 - reversible), -1):
            if self.path[place] == mark:
                return place
        return -1

    @inlined
    def trail(self, ply: int, reversible: int) -> int:
        """Return a number that depends on the positions of the path that may still be repeated."""
        here = self.count[PAST] + ply
        total = reversible  # which may decide how long the game can go on
        for place in range(max(0, here - reversible), here):
            total ^= int(self.path[place])
            total = shift_left(total, 7) | shift_right(total, 57)
        return total

    # What has been good elsewhere -----------------------------------------------------------------------------------

    @inlined
    def experience(self, player: int, ply: int, before: Move, move: Move, trait: int) -> int:
        """Return how a quiet move did in other positions."""
        if move == self.killers[ply, 0]:
            return 8 * HISTORY_LIMIT
        if move == self.killers[ply, 1]:
            return 7 * HISTORY_LIMIT
        if move == self.counters[player, before % HISTORIES]:
            return 6 * HISTORY_LIMIT
        return self.record(player, ply, move, trait)

    @inlined
    def record(self, player: int, ply: int, move: Move, trait: int) -> int:
        """Return what has become of a quiet move: anywhere, after the last move, and after the one before that."""
        total = int(self.history[player, move % HISTORIES])
        for back in range(ply, ply + 2):
            earlier = self.traits[back]
            if earlier != NO_TRAIT:
                total += int(self.follow_ups[player, earlier, trait % TRAITS])
        return total

    @inlined
    def prospect(self, player: int, trait: int) -> int:
        """Return what has become of a noisy move elsewhere, as far as it counts beside what it gains."""
        return self.noisy[player, trait % TRAITS] // BESIDE_GAIN  # type: ignore[no-any-return]

    def learn(self, game: Game, state: State, ply: int, before: Move, depth: int, top: int, place: int) -> None:
        """The move at ``place`` on the stack caused a cutoff; those before it, from ``top``, did not."""
        player, move = game.to_move(state), self.stack[place + 1]
        quiet = game.gain(state, move) == 0
        if quiet:
            if self.killers[ply, 0] != move:
                self.killers[ply, 1] = self.killers[ply, 0]
                self.killers[ply, 0] = move
            self.counters[player, before % HISTORIES] = move
        most = min(HISTORY_LIMIT // 8, 16 * depth * depth + 128 * depth)
        for each in range(top, place + PAIR, PAIR):
            other, bonus = self.stack[each + 1], most if each == place else -most
            trait = game.trait(state, other)
            if game.gain(state, other) != 0:
                self.noisy[player, trait % TRAITS] = nudged(self.noisy[player, trait % TRAITS], bonus)
            elif quiet:
                self.reward(player, ply, other, trait, bonus)

    def reward(self, player: int, ply: int, move: Move, trait: int, bonus: int) -> None:
        """Change what is known of a move; the further it has gone, the less."""
        self.history[player, move % HISTORIES] = nudged(int(self.history[player, move % HISTORIES]), bonus)
        for back in range(ply, ply + 2):
            earlier = self.traits[back]
            if earlier != NO_TRAIT:
                old = int(self.follow_ups[player, earlier, trait % TRAITS])
                self.follow_ups[player, earlier, trait % TRAITS] = nudged(old, bonus)

    @inlined
    def remember(self, ply: int, trait: int) -> None:
        """Put a move on the path."""
        self.traits[ply + 2] = trait % TRAITS if trait != NO_TRAIT else NO_TRAIT

    # From Python ----------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Ask the running search to stop; it does at the next node."""
        self.count[LIMIT] = -1

    def begin(self, limit: int | None) -> None:
        """Get ready for a search of at most so many nodes."""
        self.count[NODES] = self.count[CHAIN] = 0
        self.choose(())
        self.allow(limit)

    def allow(self, limit: int | None) -> None:
        """Let the search visit so many nodes since it began."""
        self.count[LIMIT] = np.iinfo(np.int64).max if limit is None else limit

    def choose(self, moves: Sequence[Move]) -> None:
        """Have only these moves searched at the root; none: all."""
        if len(moves) > MOST_CHOSEN:
            raise SearchError(f"{len(moves):,} moves are too many to choose from: at most {MOST_CHOSEN:,}")
        self.chosen[: len(moves)] = moves
        self.count[CHOSEN] = len(moves)
        self.count[CHOICE] = signature(tuple(sorted(moves))) if moves else 0

    def forget(self) -> None:
        """Forget what has been good elsewhere."""
        self.killers[:] = self.counters[:] = -1
        self.history[:] = self.follow_ups[:] = self.noisy[:] = 0

    @property
    def nodes(self) -> int:
        return int(self.count[NODES])

    @property
    def best_line(self) -> tuple[Move, ...]:
        return tuple(self.line[0, : self.length[0]].tolist())


def new_work(flags: Any = None, plain: bool = False) -> Work:
    """Return a workspace.

    Args:
        flags: those of the other threads, if there are any.
        plain: for plain Python, whose integers are no machine words.
    """
    plies = LONGEST_LINE + 2
    move: Any = object if plain else np.int64
    return Work(
        count=np.zeros(16, dtype=np.int64),
        stack=np.zeros(STACK_WORDS, dtype=move),
        path=np.zeros(2 * plies, dtype=np.int64),
        line=np.zeros((plies, plies), dtype=move),
        length=np.zeros(plies, dtype=np.int64),
        killers=np.full((plies, 2), -1, dtype=move),
        counters=np.full((2, HISTORIES), -1, dtype=move),
        history=np.zeros((2, HISTORIES), dtype=np.int64),
        follow_ups=np.zeros((2, TRAITS, TRAITS), dtype=np.int16),
        noisy=np.zeros((2, TRAITS), dtype=np.int64),
        traits=np.full(plies + 2, NO_TRAIT, dtype=np.int64),
        judged=np.zeros(plies, dtype=np.float64),
        reductions=_reductions(),
        chosen=np.zeros(MOST_CHOSEN, dtype=move),
        first=np.full(1, NO_MOVE, dtype=move),
        best=np.zeros(1, dtype=object if plain else np.float64),
        known=np.zeros((1, 2), dtype=move),
        flags=np.zeros(1, dtype=np.int64) if flags is None else flags,
        chain=np.zeros(plies, dtype=np.int64),
    )


@inlined
def path_mark(key: Any, player: int) -> int:
    """Return what tells a position from others on a path: a key need not say whose turn it is."""
    return signature(key) if player == MAX else ~signature(key)


@inlined
def nudged(old: int, bonus: int) -> int:
    """Return ``old`` moved by ``bonus``, the less the nearer it is to a limit."""
    return old + bonus - old * abs(bonus) // HISTORY_LIMIT


def _reductions() -> np.ndarray:
    """Return by how many plies less deeply to search a late move: the later and the deeper, the more."""
    grown = np.log(np.maximum(1, np.arange(MOST_REDUCED)))
    return (0.8 + np.outer(grown, grown) / 2.3).astype(np.int64)
