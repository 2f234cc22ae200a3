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
from plywise.inputs.limits import LONGEST_LINE, TOO_LONG_A_LINE

NODES, LIMIT, HORIZON, LOOP, PAST, CHAIN, DEEPEST_PLY, CHOSEN, CHOICE = range(9)
"""Places in ``Work.count``: nodes entered; how many may be, -1 to stop at once; how many values were taken on trust
(a position that was evaluated, or left out, before the end of the game); the earliest place on the path that a
repetition led back to; how many positions the path holds from before the root; the length of ``Work.chain``; the
longest way from the root, in plies; the length of ``Work.chosen``, and a number that stands for what it holds."""

PAIR = 2
"""Words that a move takes on the stack."""

STACK_WORDS = 1 << 17
HISTORIES = 1 << 12
"""Moves that are equal modulo this share their history."""

HISTORY_LIMIT = 1 << 14
"""The largest history of a move, for or against it; it fits in 16 bits."""

BESIDE_GAIN = 16
"""How much less the history of a noisy move counts than what it gains."""

TRAITS = 1 << 9
"""Traits that are equal modulo this share their continuation history."""

NO_TRAIT = -1
"""The trait of a null move, and of what came before the root."""

MOST_REDUCED = 64
"""Depths and numbers of moves from here on are reduced alike."""

NEVER = 1 << 40
"""No place on a path."""

MOST_CHOSEN = 1 << 12
"""Moves at the root, where not all are searched."""

POLL = 255
"""A thread looks for a reason to give up at every node whose number has none of these bits."""

TOO_LONG = f"{TOO_LONG_A_LINE}, or has too many moves: give depth="
THIRD_PLAYER = "the engine is for two players whose scores sum to zero; this game has more and needs maxn"


class Work(Native):
    """Made by ``new_work``."""

    count: np.ndarray
    stack: np.ndarray
    """The moves of all positions on the path, each after its worth."""
    path: np.ndarray
    """The marks (``path_mark``) of the positions before the root and on the path."""
    line: np.ndarray
    """Row ``ply`` holds the line of best play from there; its first ``length[ply]`` items count."""
    length: np.ndarray
    killers: np.ndarray
    """Two quiet moves for each ply that caused a cutoff there."""
    countermoves: np.ndarray
    """The quiet move that refuted a previous one, by player and previous move."""
    history: np.ndarray
    """How quiet moves did, by player and move."""
    continuation: np.ndarray
    """How quiet moves did after another (continuation history), by player and the traits of both."""
    noisy: np.ndarray
    """How noisy moves did (capture history), by player and trait."""
    traits: np.ndarray
    """The traits of the moves on the path; that of the move made at ``ply`` is at ``ply + 2``."""
    static_evals: np.ndarray
    """The static evaluations of the positions on the path, for the player to move."""
    reductions: np.ndarray
    """Late-move reductions, by depth and number of the move."""
    chosen: np.ndarray
    """The moves to search at the root, where not all are searched."""
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

    @inlined
    def raise_line(self, ply: int, move: Move, value: Number, beta: Number) -> None:
        """Keep the line of a move that is better than alpha; one that fails high matters at the root alone."""
        if value < beta or ply == 0:
            self.extend_line(ply, move)
        if ply == 0:
            self.best[0] = value

    # What is proven -------------------------------------------------------------------------------------------------

    @inlined
    def narrow(self, low: Number, high: Number) -> None:
        """Let other threads know between which values the root's lies."""
        put(self.known, 0, 0, low)
        put(self.known, 0, 1, high)

    @inlined
    def on_trust(self, value: Number) -> Number:
        """Return a value that is not proven, and count it."""
        self.count[HORIZON] += 1
        return value

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
    def begin_loop(self) -> int:
        """Begin to note which repetitions lead back from a node; returns what to give to ``end_loop``."""
        outer = self.count[LOOP]
        self.count[LOOP] = NEVER
        return outer  # type: ignore[no-any-return]

    @inlined
    def end_loop(self, outer: int, counts: bool) -> None:
        """Return to the parent, for which the repetitions found below this node count, too, if ``counts``."""
        self.count[LOOP] = min(outer, self.count[LOOP]) if counts else outer

    @inlined
    def trail(self, ply: int, reversible: int) -> int:
        """Return a number that depends on the positions of the path that may still be repeated."""
        here = self.count[PAST] + ply
        total = reversible  # which may decide how long the game can go on
        for place in range(max(0, here - reversible), here):
            total ^= int(self.path[place])
            total = shift_left(total, 7) | shift_right(total, 57)
        return total

    # Killers, countermoves and history ------------------------------------------------------------------------------

    @inlined
    def quiet_worth(self, player: int, ply: int, previous: Move, move: Move, trait: int) -> int:
        """Return what orders quiet moves: killers first, then the countermove, then by history."""
        if move == self.killers[ply, 0]:
            return 8 * HISTORY_LIMIT
        if move == self.killers[ply, 1]:
            return 7 * HISTORY_LIMIT
        if move == self.countermoves[player, previous % HISTORIES]:
            return 6 * HISTORY_LIMIT
        return self.quiet_history(player, ply, move, trait)

    @inlined
    def quiet_history(self, player: int, ply: int, move: Move, trait: int) -> int:
        """Return the history of a quiet move: anywhere, after the previous move, and after the one before that."""
        total = int(self.history[player, move % HISTORIES])
        for back in range(ply, ply + 2):
            earlier = self.traits[back]
            if earlier != NO_TRAIT:
                total += int(self.continuation[player, earlier, trait % TRAITS])
        return total

    @inlined
    def noisy_history(self, player: int, trait: int) -> int:
        """Return the history of a noisy move, as far as it counts beside what the move gains."""
        return self.noisy[player, trait % TRAITS] // BESIDE_GAIN  # type: ignore[no-any-return]

    @inlined
    def add_killer(self, ply: int, move: Move) -> None:
        """Make ``move`` the first killer."""
        if self.killers[ply, 0] != move:
            self.killers[ply, 1] = self.killers[ply, 0]
            self.killers[ply, 0] = move

    def reward(self, player: int, ply: int, move: Move, trait: int, bonus: int) -> None:
        """Add to the history of a quiet move; the nearer it is to its limit, the less."""
        self.history[player, move % HISTORIES] = nudged(int(self.history[player, move % HISTORIES]), bonus)
        for back in range(ply, ply + 2):
            earlier = self.traits[back]
            if earlier != NO_TRAIT:
                old = int(self.continuation[player, earlier, trait % TRAITS])
                self.continuation[player, earlier, trait % TRAITS] = nudged(old, bonus)

    @inlined
    def remember(self, ply: int, trait: int) -> None:
        """Put a move on the path, by its trait."""
        self.traits[ply + 2] = trait % TRAITS if trait != NO_TRAIT else NO_TRAIT

    # From Python ----------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Ask the running search to stop; it does at the next node."""
        self.count[LIMIT] = -1

    def begin(self, limit: int | None) -> None:
        """Get ready for a search of at most ``limit`` nodes."""
        self.count[NODES] = self.count[CHAIN] = 0
        self.choose(())
        self.allow(limit)

    def allow(self, limit: int | None) -> None:
        """Let the search visit ``limit`` nodes in all."""
        self.count[LIMIT] = np.iinfo(np.int64).max if limit is None else limit

    def choose(self, moves: Sequence[Move]) -> None:
        """Have only these moves searched at the root; none: all."""
        if len(moves) > MOST_CHOSEN:
            raise SearchError(f"{len(moves):,} moves are too many to choose from: at most {MOST_CHOSEN:,}")
        self.chosen[: len(moves)] = moves
        self.count[CHOSEN] = len(moves)
        self.count[CHOICE] = signature(tuple(sorted(moves))) if moves else 0

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


def new_work(plain: bool = False) -> Work:
    """Return a workspace; a ``plain`` one is for plain Python, whose integers are no machine words."""
    plies = LONGEST_LINE + 2
    move: Any = object if plain else np.int64
    return Work(
        count=np.zeros(16, dtype=np.int64),
        stack=np.zeros(STACK_WORDS, dtype=move),
        path=np.zeros(2 * plies, dtype=np.int64),
        line=np.zeros((plies, plies), dtype=move),
        length=np.zeros(plies, dtype=np.int64),
        killers=np.full((plies, 2), -1, dtype=move),
        countermoves=np.full((2, HISTORIES), -1, dtype=move),
        history=np.zeros((2, HISTORIES), dtype=np.int64),
        continuation=np.zeros((2, TRAITS, TRAITS), dtype=np.int16),
        noisy=np.zeros((2, TRAITS), dtype=np.int64),
        traits=np.full(plies + 2, NO_TRAIT, dtype=np.int64),
        static_evals=np.zeros(plies, dtype=np.float64),
        reductions=_reductions(),
        chosen=np.zeros(MOST_CHOSEN, dtype=move),
        first=np.full(1, NO_MOVE, dtype=move),
        best=np.zeros(1, dtype=object if plain else np.float64),
        known=np.zeros((1, 2), dtype=move),
        flags=np.zeros(1, dtype=np.int64),
        chain=np.zeros(plies, dtype=np.int64),
    )


@inlined
def path_mark(key: Any, player: int) -> int:
    """Return what tells a position from others on a path: a key need not say whose turn it is."""
    return signature(key) if player == MAX else ~signature(key)


@inlined
def nudged(old: int, bonus: int) -> int:
    """Return a history with a bonus added, the less the nearer it is to its limit."""
    return old + bonus - old * abs(bonus) // HISTORY_LIMIT


def _reductions() -> np.ndarray:
    """Return by how many plies less deeply to search a late move: the later and the deeper, the more."""
    grown = np.log(np.maximum(1, np.arange(MOST_REDUCED)))
    return (0.8 + np.outer(grown, grown) / 2.3).astype(np.int64)
