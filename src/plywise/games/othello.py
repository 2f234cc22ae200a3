"""Othello: enclose the opponent's discs to turn them; at the end, the player with more discs wins.

A board is an integer with one bit for each square, row by row from the top left.  On the usual board the bits are

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7
    2   8  9 10 11 12 13 14 15
    3  16 17 18 19 20 21 22 23
    4  24 25 26 27 28 29 30 31
    5  32 33 34 35 36 37 38 39
    6  40 41 42 43 44 45 46 47
    7  48 49 50 51 52 53 54 55
    8  56 57 58 59 60 61 62 63    the sign
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from plywise.bits import item, lowest, popcount, rest, shift_left, shift_right, signed, size
from plywise.compiling.native import inlined
from plywise.errors import GameError, PositionError
from plywise.game import MAX, Game, sign
from plywise.layers import Counting, Grid, Piece, Theory, View

COLUMNS, ROWS = "abcdefgh", "12345678"
"""The names of columns, from the left, and of rows, from the top."""

RISING = ((1, 0), (-1, 1), (0, 1), (1, 1))
"""Steps to the right and down to squares with a higher number: right, and down to the left, straight and right."""

PASSES = ("pass", "--")
"""How a pass is written in the text of a game, where it may also be left out."""


class Discs(NamedTuple):
    mine: int
    """The discs of the player to move."""
    theirs: int
    """The discs of the opponent."""
    legal: int
    """The squares where the player to move may place a disc; they follow from the discs."""
    turn: int
    """The player to move."""


class Othello(Theory, Counting, View, Game):
    """Othello, or Reversi.  Black moves first and is Max.

    A move is a square, from 0; the square after the last is a pass, legal only if the player cannot place a disc.  The
    game ends if neither can.  The score is the difference in discs; empty squares count for the winner, unless
    ``discs_only``.  The text of a position is its squares, row by row, and who is to move; moves such as ``f5d6c3`` are
    read too.

    >>> game = Othello()
    >>> print(game.board(game.parse("f5d6c3")))
      a b c d e f g h
    1 . . . . . . . .
    2 . . . . . . . .
    3 . . X . . . . .
    4 . . . X X . . .
    5 . . . O X X . .
    6 . . . O . . . .
    7 . . . . . . . .
    8 . . . . . . . .
    """

    description = "Enclose the opponent's discs to turn them; more discs win."
    known_size = (None, "10^58")
    pieces = (Piece("X", "black", "black disc"), Piece("O", "white", "white disc"))
    size: int = 8
    discs_only: bool = False

    def __post_init__(self) -> None:
        if self.size not in (4, 6, 8):
            raise GameError(f"{self!r} is not possible: size must be 4, 6 or 8")

    def initial(self) -> Discs:
        corner = (self.size // 2 - 1) * (self.size + 1)  # of the four squares in the middle
        black = 1 << corner + 1 | 1 << corner + self.size
        white = 1 << corner | 1 << corner + self.size + 1
        return Discs(black, white, self.reachable(black, white), MAX)

    def to_move(self, state: Discs) -> int:
        return state.turn

    def moves(self, state: Discs) -> Iterator[int]:
        squares = state.legal
        if squares == 0 and not self.is_terminal(state):
            yield self.size * self.size
        while squares:
            yield lowest(squares)
            squares = rest(squares)

    def count_moves(self, state: Discs) -> int:
        if state.legal == 0:
            return 0 if self.is_terminal(state) else 1
        return popcount(state.legal)

    @inlined
    def play(self, state: Discs, move: int) -> Discs:
        mine, theirs = state.mine, state.theirs
        if state.legal:
            turned = self.enclosed(mine, theirs, move)
            mine |= turned | shift_left(1, move)
            theirs ^= turned
        return Discs(theirs, mine, self.reachable(theirs, mine), 1 - state.turn)

    @inlined
    def is_terminal(self, state: Discs) -> bool:
        return state.legal == 0 and self.reachable(state.theirs, state.mine) == 0

    @inlined
    def score(self, state: Discs) -> int:
        return sign(state.turn) * self.margin(state.mine, state.theirs)

    @inlined
    def margin(self, mine: int, theirs: int) -> int:
        """Return the difference in discs at the end of a game."""
        more = popcount(mine) - popcount(theirs)
        empty = 0 if self.discs_only or more == 0 else self.size * self.size - popcount(mine | theirs)
        return more + empty if more > 0 else more - empty

    def bounds(self, state: Discs) -> tuple[int, int]:
        return (-self.size * self.size, self.size * self.size)

    @inlined
    def key(self, state: Discs) -> tuple[int, int]:
        """Return the discs of the player to move and of the opponent; the rules are the same for both colours."""
        return state.mine, state.theirs

    # What makes the exact search fast -------------------------------------------------------------------------------

    @inlined
    def proven_bounds(self, state: Discs) -> tuple[int, int]:
        """Return the score if only one square is empty."""
        most = self.size * self.size
        low, high = -most, most
        empty = self.squares & ~(state.mine | state.theirs)
        if rest(empty) == 0 and empty != 0:
            mine, theirs = state.mine, state.theirs
            turned = self.enclosed(mine, theirs, lowest(empty))
            if turned:
                mine |= turned | empty
                theirs ^= turned
            else:
                turned = self.enclosed(theirs, mine, lowest(empty))
                if turned:
                    theirs |= turned | empty
                    mine ^= turned
            low = high = self.margin(mine, theirs)
        return (low, high) if state.turn == MAX else (-high, -low)

    @inlined
    def order(self, state: Discs, move: int) -> int:
        """Prefer moves that leave the opponent few replies, and squares in a quarter of the board with an odd number of
        empty ones.
        """
        after = self.play(state, move)
        empty = self.squares & ~(state.mine | state.theirs)
        worth = -8 * (popcount(after.legal) + popcount(after.legal & self.corners))
        for quarter in self.quarters:
            if quarter >> move & 1 and popcount(quarter & empty) & 1:
                worth += 4
        return worth

    @cached_property
    def corners(self) -> int:
        n = self.size
        return signed(1 | 1 << n - 1 | 1 << n * (n - 1) | 1 << n * n - 1)

    @cached_property
    def quarters(self) -> tuple[int, ...]:
        n, half = self.size, self.size // 2
        block = sum(((1 << half) - 1) << n * i for i in range(half))
        return tuple(signed(block << at) for at in (0, half, n * half, n * half + half))

    # Discs in lines -------------------------------------------------------------------------------------------------

    @inlined
    def reachable(self, mine: int, theirs: int) -> int:
        """Return the empty squares where a disc beside ``mine`` would enclose some of ``theirs``.

        A disc on the left or right edge can only be enclosed along its column, so that no line runs on into the next
        row.
        """
        inner = theirs & self.inner_columns
        squares = beyond(mine, inner, 1) | beyond(mine, theirs, self.size)
        squares |= beyond(mine, inner, self.size - 1) | beyond(mine, inner, self.size + 1)
        return squares & self.squares & ~(mine | theirs)

    @inlined
    def enclosed(self, mine: int, theirs: int, square: int) -> int:
        """Return the discs of ``theirs`` between a disc on ``square`` and discs of ``mine``."""
        found = 0
        for i in range(4):
            found |= enclosed_above(mine, theirs, item(self.rays, 8 * square + i))
        for i in range(4, 8):
            found |= enclosed_below(mine, theirs, item(self.rays, 8 * square + i))
        return found

    @cached_property
    def squares(self) -> int:
        """All squares."""
        return signed((1 << self.size * self.size) - 1)

    @cached_property
    def inner_columns(self) -> int:
        """The squares that are not on the left or right edge."""
        row = (1 << self.size - 1) - 2
        return signed(sum(row << self.size * i for i in range(self.size)))

    @cached_property
    def rays(self) -> np.ndarray:
        """For each square, the squares in eight directions from it: four with higher numbers, then four with lower."""
        steps = (*RISING, *((-right, -down) for right, down in RISING))
        rays = [signed(self._ray(square, *step)) for square in range(self.size * self.size) for step in steps]
        return np.array(rays, dtype=np.int64)

    def _ray(self, square: int, right: int, down: int) -> int:
        row, column = divmod(square, self.size)
        ray = 0
        while 0 <= (row := row + down) < self.size and 0 <= (column := column + right) < self.size:
            ray |= 1 << row * self.size + column
        return ray

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Discs:
        words = text.upper().split()
        if len(words) == 2 and len(words[0]) == self.size**2 and words[1] in ("X", "O"):
            cells, player = words
            if not set(cells) <= set("XO-."):
                raise PositionError(f"{text!r} is not a position: squares are X, O or -")
            return self.position(*(sum(1 << i for i, c in enumerate(cells) if c == disc) for disc in "XO"),
                                 "XO".index(player))  # fmt: skip
        return self._played(text)

    def position(self, black: int, white: int, turn: int) -> Discs:
        """Return the position with these discs."""
        mine, theirs = map(signed, (black, white) if turn == MAX else (white, black))
        return Discs(mine, theirs, self.reachable(mine, theirs), turn)

    def _played(self, text: str) -> Discs:
        """Return the position after the moves in a text; passes may be left out."""
        state, rest_of_text, number = self.initial(), "".join(text.lower().split()), 1
        while rest_of_text:
            word = re.match(r"pass|--|..?", rest_of_text)
            assert word is not None
            if word[0] not in PASSES and not state.legal and not self.is_terminal(state):
                state = self.play(state, self.size**2)
            try:
                state = self.play(state, self.parse_move(state, word[0]))
            except PositionError as error:
                raise PositionError(f"{text!r} is not a position: it is neither {self.size**2} squares (X, O or -) and "
                                    f"who is to move (X or O) nor moves: move {number}: {error}") from None  # fmt: skip
            rest_of_text, number = rest_of_text[word.end() :], number + 1
        return state

    def format(self, state: Discs) -> str:
        cells = "".join("-XO"[self.piece_at(state, square)] for square in range(self.size**2))
        return f"{cells} {'XO'[state.turn]}"

    def format_move(self, state: Discs, move: int) -> str:
        return PASSES[0] if move == self.size**2 else self.layout.name(move)

    def parse_move(self, state: Discs, text: str) -> int:
        text = text.strip().lower()
        return int(super().parse_move(state, PASSES[0] if text in PASSES else text))

    def player_name(self, player: int) -> str:
        return ("Black", "White")[player]

    # View -----------------------------------------------------------------------------------------------------------

    @cached_property
    def layout(self) -> Grid:  # type: ignore[override]
        return Grid(self.size, self.size, left=ROWS[: self.size], top=COLUMNS[: self.size])

    def piece_at(self, state: Discs, place: int) -> int:
        if state.mine >> place & 1:
            return 1 + state.turn
        return 2 - state.turn if state.theirs >> place & 1 else 0

    def places(self, state: Discs, move: int) -> tuple[int, int]:
        return (-1, move if move < self.size * self.size else -1)

    def score_text(self, score: float) -> str:
        if score == 0:
            return "equal"
        return f"{self.player_name(0 if score > 0 else 1)} by {abs(score):g}"

    def ending(self, state: Discs) -> str:
        counts = sorted((popcount(state.mine), popcount(state.theirs)), reverse=True)
        return f"{counts[0]} discs to {counts[1]}"

    def record(self, start: Discs, moves: Sequence[int], about: Mapping[str, str]) -> str | None:
        """Return the moves as ``f5d6c3``, without passes; None if the game did not begin at the usual position."""
        if start != self.initial():
            return None
        return "".join(self.layout.name(move) for move in moves if move < self.size**2) + "\n"


@inlined
def beyond(mine: int, theirs: int, step: int) -> int:
    """Return the squares behind lines of ``theirs`` that begin beside one of ``mine``, in both directions.

    A line of up to six grows by one, one, two and two discs (parallel prefix, after Kogge and Stone).
    """
    up, down = theirs & shift_left(mine, step), theirs & shift_right(mine, step)
    up |= theirs & shift_left(up, step)
    down |= theirs & shift_right(down, step)
    pairs_up = theirs & shift_left(theirs, step)
    pairs_down = shift_right(pairs_up, step)
    up |= pairs_up & shift_left(up, 2 * step)
    down |= pairs_down & shift_right(down, 2 * step)
    up |= pairs_up & shift_left(up, 2 * step)
    down |= pairs_down & shift_right(down, 2 * step)
    return shift_left(up, step) | shift_right(down, step)


@inlined
def enclosed_above(mine: int, theirs: int, ray: int) -> int:
    """Return the discs of ``theirs`` up to one of ``mine``, on a ray to squares with higher numbers."""
    others = ray & ~theirs
    end = others & -others & mine  # the first square without one of theirs, if it has one of mine
    return signed(ray & end - (end != 0))


@inlined
def enclosed_below(mine: int, theirs: int, ray: int) -> int:
    """Return the discs of ``theirs`` up to one of ``mine``, on a ray to squares with lower numbers."""
    end = shift_left(1, size(ray & ~theirs | 1) - 1) & ray & mine
    return ray & -(end + end)
