"""Kalah: sow the stones of a pit, one by one, into the next ones; whoever has more in their store at the end wins.

Each player's row is one word with a byte for each pit, in the order of sowing, and one for the store.  With six pits:

    byte        6   5   4   3   2   1   0
    North   store   f   e   d   c   b   a
            ───────────────────────────────
    South       A   B   C   D   E   F   store
    byte        0   1   2   3   4   5   6

Sowing is addition.  Number the holes in the order in which a player's stones pass them: the own pits, from 0, the own
store, the opponent's pits, and on round the board.  If ``sown[hole]`` has one stone for every hole up to this one, then
``n`` stones from pit ``i`` add ``sown[i + n] - sown[i]``, however often they go round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from plywise.bits import item, popcount, product, size
from plywise.compiling.native import inlined
from plywise.errors import GameError, PositionError
from plywise.game import MAX, MIN, Game
from plywise.games.flags import check_flags
from plywise.games.move_list import after_moves, move_texts
from plywise.games.records import Record, only_moves
from plywise.io.numbers import whole_number
from plywise.io.wording import number
from plywise.layers import Banked, Pits, Theory, View

BYTE = 8
"""The number of bits in a byte."""
EVERY_BYTE = 0x0101010101010101
"""One in each byte."""
MOST_PITS, MOST_STONES = 7, 127
"""A row has room for seven pits and a store, and the top bit of every byte stays free."""

MOVES_AGAIN = 1 << 12
"""The worth of an extra move in ``order``, more than that of any other."""

TURNS = "SN"
"""The players in texts: South and North."""
NAMES = ("ABCDEFG", "abcdefg")
"""The names of each player's pits, in the order of sowing."""


class Rows(NamedTuple):
    mine: int
    """The pits and the store of the player to move."""
    theirs: int
    """The pits and the store of the opponent."""
    turn: int
    """The player to move."""


class Kalah(Theory, Banked, View, Game):
    """Kalah.  South moves first and is Max; the score is South's margin in stones.

    A move takes all stones of an own pit and sows them, one by one, into the own pits after it, the own store, the
    opponent's pits, and the own pits again.  If the last stone falls into the own store, the same player moves again.
    If it falls into an own pit that was empty, it is captured, with all stones of the pit opposite.  The game ends when
    a row is empty; the stones in the other row go to its owner.

    Two rules differ from place to place.  Without ``empty_capture``, a last stone opposite an empty pit stays where it
    is.  Without ``sweep``, stones that are left in the pits at the end count for nobody.

    The text of a position is South's pits and store, North's pits and store, all in the order of sowing, and the player
    to move.  A move is a pit, from 0; its text is a letter.  A list of moves, such as ``C F b``, is a position too.

    >>> game = Kalah()
    >>> state = game.play(game.initial(), 2)
    >>> print(game.board(state))
           f   e   d   c   b   a
           4   4   4   4   4   4
       0                           1
           4   4   0   5   5   5
           A   B   C   D   E   F
    >>> game.format(state)
    '4,4,0,5,5,5,1/4,4,4,4,4,4,0 S'
    """

    description = "Sow stones around the board; the fuller store wins."
    known_size = (None, "4^40")
    estimated_size = "at most C(49, 36), about 262 billion (36 stones)"
    pits: int = 6
    stones: int = 4
    empty_capture: bool = True
    sweep: bool = True

    def __post_init__(self) -> None:
        if not (type(self.pits) is type(self.stones) is int):
            raise GameError(f"{self!r} is not possible: pits and stones must be whole numbers")
        if min(self.pits, self.stones) < 1 or self.pits > MOST_PITS or self.total > MOST_STONES:
            raise GameError(f"{self!r} is not possible: there must be 1 to {MOST_PITS} pits with at least one stone "
                            f"each, and at most {MOST_STONES} stones; these are {self.total}")  # fmt: skip
        check_flags(self)

    def initial(self) -> Rows:
        return Rows(self.stones * self.each_pit, self.stones * self.each_pit, MAX)

    def to_move(self, state: Rows) -> int:
        return state.turn

    @inlined
    def moves(self, state: Rows) -> Iterator[int]:
        if not self.is_terminal(state):
            for pit in range(self.pits):
                if stones_in(state.mine, pit) > 0:
                    yield pit

    @inlined
    def play(self, state: Rows, move: int) -> Rows:
        hand = stones_in(state.mine, move)
        last = move + hand
        mine = state.mine - in_pit(hand, move) + item(self.sown_near, last) - item(self.sown_near, move)
        theirs = state.theirs + item(self.sown_far, last)
        end = last % (2 * self.pits + 1)
        if end == self.pits:
            return Rows(mine, theirs, state.turn)
        if end < self.pits and stones_in(mine, end) == 1:
            opposite = self.pits - 1 - end
            prey = stones_in(theirs, opposite)
            if self.empty_capture or prey > 0:
                mine += in_pit(prey + 1, self.pits) - in_pit(1, end)
                theirs -= in_pit(prey, opposite)
        return Rows(theirs, mine, 1 - state.turn)

    @inlined
    def is_terminal(self, state: Rows) -> bool:
        return state.mine & self.all_pits == 0 or state.theirs & self.all_pits == 0

    @inlined
    def score(self, state: Rows) -> int:
        rest = self.in_pits(state.mine) - self.in_pits(state.theirs) if self.sweep else 0
        return self.lead(state) + (rest if state.turn == MAX else -rest)

    @inlined
    def evaluate(self, state: Rows) -> int:
        return self.lead(state)

    @inlined
    def bounds(self, state: Rows) -> tuple[int, int]:
        if self.is_terminal(state):
            return (self.score(state), self.score(state))
        lead, left = self.lead(state), self.in_pits(state.mine) + self.in_pits(state.theirs)
        return (lead - left, lead + left)

    @inlined
    def lead(self, state: Rows) -> int:
        """Return how many stones South's store has more than North's."""
        more = self.in_store(state.mine) - self.in_store(state.theirs)
        return more if state.turn == MAX else -more

    def in_store(self, row: int) -> int:
        """Return the number of stones in a row's store."""
        return row >> self.pits * BYTE

    @inlined
    def in_pits(self, row: int) -> int:
        """Return the number of stones in a row's pits: the top byte of the product is the sum of all bytes."""
        return product(row & self.all_pits, EVERY_BYTE) >> 7 * BYTE

    @cached_property
    def total(self) -> int:
        """The number of stones on the board."""
        return 2 * self.pits * self.stones

    @cached_property
    def each_pit(self) -> int:
        """One stone in each pit of a row."""
        return EVERY_BYTE & self.all_pits

    @cached_property
    def all_pits(self) -> int:
        """The bytes of the pits."""
        return (1 << self.pits * BYTE) - 1

    @cached_property
    def sown_near(self) -> np.ndarray:
        """For each hole: what one stone in every hole up to it adds to the own row."""
        return self.sown(range(self.pits + 1))

    @cached_property
    def sown_far(self) -> np.ndarray:
        """For each hole: what it adds to the opponent's row."""
        return self.sown(range(self.pits + 1, 2 * self.pits + 1))

    def sown(self, holes: range) -> np.ndarray:
        """Return, for each hole round the board, a row with one stone for every one of ``holes`` passed so far.

        The bytes of the row are those of ``holes``.
        """
        steps = np.zeros(self.pits + MOST_STONES, dtype=np.int64)
        for byte, hole in enumerate(holes):
            steps[hole :: 2 * self.pits + 1] = in_pit(1, byte)
        return np.cumsum(steps)

    # What makes the search fast -------------------------------------------------------------------------------------

    def banked(self, state: Rows) -> int:
        return self.lead(state)

    @inlined
    def rest_key(self, state: Rows) -> tuple[int, int]:
        """Return the pits of both, the player's to move first."""
        return state.mine & self.all_pits, state.theirs & self.all_pits

    @inlined
    def proven_bounds(self, state: Rows) -> tuple[int, int]:
        """Return bounds by what the player to move can win at once: a stone with each extra move."""
        low, high = self.bounds(state)
        if low == high:
            return (low, high)
        sure = 2 * self.extra_moves(state.mine)
        return (low + sure, high) if state.turn == MAX else (low, high - sure)

    @inlined
    def order(self, state: Rows, move: int) -> int:
        """Extra moves first, from the pit next to the store; then by stones won, and extra moves left to the other."""
        after = self.play(state, move)
        if after.turn == state.turn:
            return MOVES_AGAIN + move
        won = self.in_store(after.theirs) - self.in_store(state.mine)
        return 16 * won - 8 * popcount(self.finishing(after.mine)) + 2 * move

    @inlined
    def extra_moves(self, row: int) -> int:
        """Return how many moves in a row a player can make, at least: each from the pit that is nearest to the store
        among those that end there, so that it spoils none of the others.
        """
        count, ready = 0, self.finishing(row)
        while ready:
            pit = size(ready) // BYTE - 1
            row += item(self.sown_near, self.pits - 1) - item(self.sown_near, pit) - in_pit(self.pits - pit, pit)
            count, ready = count + 1, self.finishing(row)
        return count

    @inlined
    def finishing(self, row: int) -> int:
        """Return a bit in the byte of each pit whose last stone falls into the own store.

        These are the pits whose bytes equal those of ``distances``.  A byte from 1 to 127 plus 127 has its top bit set,
        and 0 plus 127 has not.
        """
        return ~((row & self.all_pits ^ self.distances) + 127 * self.each_pit) & 128 * self.each_pit

    @cached_property
    def distances(self) -> int:
        """The number of steps from each pit to the store."""
        return sum(in_pit(self.pits - pit, pit) for pit in range(self.pits))

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Rows:
        letters = "".join(text.split())
        if not letters or letters.isalpha():
            return after_moves(self, self.initial(), letters, text)  # type: ignore[no-any-return]
        board, _, turn = text.strip().upper().partition(" ")
        rows = [row.split(",") for row in board.split("/")]
        turn = turn.strip() or TURNS[MAX]
        counts = [[count for word in row if (count := whole_number(word)) is not None] for row in rows]
        complete = [len(row) for row in rows] == [len(row) for row in counts] == [self.pits + 1] * 2
        if not complete or turn not in tuple(TURNS):
            raise PositionError(f"{text!r} is not a position: it needs {self.pits} pits and the store of each player, "
                                f"and the player to move, S or N, such as {self.format(self.initial())!r}, or a list "
                                "of moves")  # fmt: skip
        if (found := sum(map(sum, counts))) != self.total:
            raise PositionError(f"{text!r} is not a position: it has {found} stones, but {self!r} has {self.total}")
        south, north = (sum(in_pit(count, pit) for pit, count in enumerate(row)) for row in counts)
        return Rows(south, north, MAX) if turn == TURNS[MAX] else Rows(north, south, MIN)

    def format(self, state: Rows) -> str:
        rows = (",".join(str(stones_in(row, pit)) for pit in range(self.pits + 1)) for row in south_first(state))
        return f"{'/'.join(rows)} {TURNS[state.turn]}"

    def format_move(self, state: Rows, move: int) -> str:
        return NAMES[state.turn][move]

    def player_name(self, player: int) -> str:
        return ("South", "North")[player]

    # View -----------------------------------------------------------------------------------------------------------

    @cached_property
    def layout(self) -> Pits:  # type: ignore[override]
        south, north = (names[: self.pits] for names in NAMES)
        return Pits(self.pits, 2, top=north[::-1], bottom=south, stores=True)

    def piece_at(self, state: Rows, place: int) -> int:
        """Return the stones in a pit.  North's row is above, from right to left; its store is on the left."""
        south, north = south_first(state)
        if place >= 2 * self.pits:
            return self.in_store(north if place == 2 * self.pits else south)
        return stones_in(north, self.pits - 1 - place) if place < self.pits else stones_in(south, place - self.pits)

    def places(self, state: Rows, move: int) -> tuple[int, int]:
        return (self.pits + move if state.turn == MAX else self.pits - 1 - move), -1

    def why_illegal(self, state: Rows, text: str) -> str:
        own, other = (NAMES[player][: self.pits] for player in (state.turn, 1 - state.turn))
        if text in tuple(own):
            return f"pit {text} is empty"
        return f"pit {text} is {self.player_name(1 - state.turn)}'s" if text in tuple(other) else ""

    def record(self, start: Rows, moves: Sequence[int], about: Mapping[str, str]) -> str | None:
        """Return the moves as ``CFb``; None if the game did not begin at the usual position."""
        return "".join(move_texts(self, start, moves)) + "\n" if start == self.initial() else None

    def annotated_record(self, record: Record, about: Mapping[str, str]) -> str | None:
        return only_moves(self, record, about)

    def score_text(self, score: float) -> str:
        """Return who is ahead by how many stones."""
        if score == 0:
            return "equal"
        stones = "1 stone" if abs(score) == 1 else f"{number(abs(score))} stones"
        return f"{self.player_name(MAX if score > 0 else MIN)} by {stones}"

    def ending(self, state: Rows) -> str:
        rows = south_first(state)
        more, fewer = sorted((self.in_store(row) + self.sweep * self.in_pits(row) for row in rows), reverse=True)
        return f"{more} stones to {fewer}" if more > fewer else ""


def stones_in(row: int, pit: int) -> int:
    """Return the number of stones in a pit."""
    return row >> pit * BYTE & 0xFF


def in_pit(count: int, pit: int) -> int:
    """Return a row with ``count`` stones in one pit."""
    return count << pit * BYTE


def south_first(state: Rows) -> tuple[int, int]:
    """Return South's row and North's."""
    return (state.mine, state.theirs) if state.turn == MAX else (state.theirs, state.mine)
