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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np

from plywise.bits import item, lowest, popcount, rest, shift_left, shift_right, signed, size
from plywise.compiling.native import inlined
from plywise.errors import GameError, PositionError
from plywise.game import MAX, MIN, Game, sign
from plywise.games.flags import check_flags
from plywise.games.records import Record, only_moves
from plywise.layers import Counting, Features, Grid, Piece, Theory, View

COLUMNS, ROWS = "abcdefgh", "12345678"
"""The names of columns, from the left, and of rows, from the top."""

RISING = ((1, 0), (-1, 1), (0, 1), (1, 1))
"""Steps to the right and down to squares with a higher number: right, and down to the left, straight and right."""

MOBILITY, POTENTIAL, CORNER, BESIDE, DIAGONAL = 8, 3, 70, 15, 35
"""The worth of a move, of a potential one, of a corner, of not being beside an empty one, and of not being diagonally
beside it, in tenths of a disc."""

FEW = 6
"""With this many empty squares or fewer, a plain search is fastest."""

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


class Othello(Theory, Counting, Features, View, Game):
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
        if type(self.size) is not int or self.size not in (4, 6, 8):
            raise GameError(f"{self!r} is not possible: size must be 4, 6 or 8")
        check_flags(self)

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
        """Return the discs of the player to move and of the opponent: the rules are the same for both colours."""
        return state.mine, state.theirs

    # Judgement ------------------------------------------------------------------------------------------------------

    @inlined
    def evaluate(self, state: Discs) -> int:
        """Return a guess from mobility, corners and what is next to them.

        Many moves now (mobility) or soon (empty squares beside the opponent's discs, potential mobility) are good:
        whoever runs out of safe moves must give away corners, whose discs are never turned.  Squares beside an empty
        corner give it away.  The number of discs says little before the end (Rosenbloom 1982).
        """
        mine, theirs = state.mine, state.theirs
        empty = self.squares & ~(mine | theirs)
        risky = self.around(self.corners & empty) & ~self.corners
        tenths = MOBILITY * (popcount(state.legal) - popcount(self.reachable(theirs, mine)))
        tenths += POTENTIAL * (popcount(empty & self.around(theirs)) - popcount(empty & self.around(mine)))
        tenths += CORNER * (popcount(mine & self.corners) - popcount(theirs & self.corners))
        tenths -= BESIDE * (popcount(mine & risky) - popcount(theirs & risky))
        tenths -= DIAGONAL * (popcount(mine & risky & self.x_squares) - popcount(theirs & risky & self.x_squares))
        most = self.size * self.size - 1
        return sign(state.turn) * max(-most, min(most, tenths // 10))

    # For learning ---------------------------------------------------------------------------------------------------

    buckets: ClassVar[int] = 8

    feature_count = 256

    def feature_words(self, state: Discs, player: int) -> Iterator[int]:
        """Yield the discs of the player and of the opponent, and the squares where each could place one."""
        moves = state.turn == player
        own, other = (state.mine, state.theirs) if moves else (state.theirs, state.mine)
        yield own
        yield other
        yield self.reachable(own, other)
        yield self.reachable(other, own)

    def network_file(self) -> str:
        return "othello.net" if self.size == 8 and not self.discs_only else ""

    def bucket(self, state: Discs) -> int:
        """Return how full the board is, in eight steps."""
        return (popcount(state.mine | state.theirs) - 1) * self.buckets // (self.size * self.size)

    @inlined
    def order(self, state: Discs, move: int) -> int:
        """Prefer moves that leave the opponent few replies now and later, and the last move of a region."""
        after = self.play(state, move)
        square = shift_left(1, move)
        worth = -4 * popcount(after.legal) - 8 * popcount(after.legal & self.corners)
        worth -= popcount(self.around(after.theirs) & ~(after.mine | after.theirs))
        if square & self.odd_quarters(state):
            worth += 2
        if square & self.corners:
            worth += 4
        return worth - 4 if square & self.x_squares else worth

    # What makes the exact search fast -------------------------------------------------------------------------------

    @inlined
    def proven_bounds(self, state: Discs) -> tuple[int, int]:
        """Return the score if only one square is empty; else bounds from discs that are never turned again."""
        mine, theirs = state.mine, state.theirs
        empty = self.squares & ~(mine | theirs)
        if empty == 0 or rest(empty):
            if popcount(empty) <= FEW:  # a search is faster
                return self.bounds(state)
            most = self.size * self.size
            low, high = 2 * popcount(self.stable(mine)) - most, most - 2 * popcount(self.stable(theirs))
            return (low, high) if state.turn == MAX else (-high, -low)
        turned = self.enclosed(mine, theirs, lowest(empty))
        if turned == 0:  # a pass
            turned = self.enclosed(theirs, mine, lowest(empty))
            empty = empty if turned else 0
            mine, theirs = mine ^ turned, theirs | turned | empty
        else:
            mine, theirs = mine | turned | empty, theirs ^ turned
        score = sign(state.turn) * self.margin(mine, theirs)
        return score, score

    @inlined
    def stable(self, discs: int) -> int:
        """Return discs that can never be turned: corners, and discs that in each of the four directions have the edge
        or a stable disc of their colour on one side.
        """
        found, before = discs & self.corners, 0
        while found != before:
            before = found
            right, left = found & ~self.right_edge, found & ~self.left_edge
            found |= discs & (
                (self.sides | shift_left(right, 1) | shift_right(left, 1))
                & (self.ends | shift_left(found, self.size) | shift_right(found, self.size))
                & (self.rim | shift_left(right, self.size + 1) | shift_right(left, self.size + 1))
                & (self.rim | shift_left(left, self.size - 1) | shift_right(right, self.size - 1))
            )
        return found

    @inlined
    def candidates(self, state: Discs) -> Iterator[int]:
        """Yield all moves, those in regions with an odd number of empty squares first."""
        odd = self.odd_quarters(state)
        squares, others = state.legal & odd, state.legal & ~odd
        if state.legal == 0 and not self.is_terminal(state):
            yield self.size * self.size
        while squares | others:
            if squares == 0:
                squares, others = others, 0
            yield lowest(squares)
            squares = rest(squares)

    @inlined
    def nearly_over(self, state: Discs) -> bool:
        return popcount(self.squares & ~(state.mine | state.theirs)) <= FEW

    @inlined
    def odd_quarters(self, state: Discs) -> int:
        """Return the quarters of the board with an odd number of empty squares.

        They stand for the regions of empty squares near the corners.  Whoever moves first in a region of odd size moves
        last there too, and the last disc in a region is seldom turned (parity).
        """
        odd = 0
        for quarter in self.quarters:
            if popcount(quarter & ~(state.mine | state.theirs)) & 1:
                odd |= quarter
        return odd

    # Discs in lines -------------------------------------------------------------------------------------------------

    @inlined
    def reachable(self, mine: int, theirs: int) -> int:
        """Return the empty squares where a disc beside ``mine`` would enclose some of ``theirs``.

        A disc on the left or right edge can only be enclosed along its column, so that no line runs on into the next
        row.
        """
        inner = theirs & ~self.sides
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
        return self._board(product(range(self.size), range(self.size)))

    @cached_property
    def left_edge(self) -> int:
        """The squares of the first column."""
        return self._board((row, 0) for row in range(self.size))

    @cached_property
    def right_edge(self) -> int:
        """The squares of the last column."""
        return self._board((row, self.size - 1) for row in range(self.size))

    @cached_property
    def sides(self) -> int:
        """The first and the last column."""
        return self.left_edge | self.right_edge

    @cached_property
    def ends(self) -> int:
        """The first and the last row."""
        return self._board(product((0, self.size - 1), range(self.size)))

    @cached_property
    def rim(self) -> int:
        """All squares on an edge."""
        return self.sides | self.ends

    @cached_property
    def corners(self) -> int:
        """The four corners."""
        last = self.size - 1
        return self._board((row, column) for row in (0, last) for column in (0, last))

    @cached_property
    def x_squares(self) -> int:
        """The squares diagonally beside the corners, which players call X squares."""
        last = self.size - 2
        return self._board((row, column) for row in (1, last) for column in (1, last))

    @cached_property
    def quarters(self) -> tuple[int, ...]:
        """The four quarters of the board."""
        halves = range(self.size // 2), range(self.size // 2, self.size)
        return tuple(self._board(product(rows, columns)) for rows in halves for columns in halves)

    @inlined
    def around(self, discs: int) -> int:
        """Return the squares of ``discs`` and all squares beside them."""
        across = discs | shift_left(discs & ~self.right_edge, 1) | shift_right(discs & ~self.left_edge, 1)
        return across | shift_left(across, self.size) | shift_right(across, self.size)

    @cached_property
    def rays(self) -> np.ndarray:
        """For each square, the squares in eight directions from it: four with higher numbers, then four with lower."""
        steps = (*RISING, *((-right, -down) for right, down in RISING))
        squares = product(range(self.size), range(self.size))
        rays = [self._board(self._ray(square, step)) for square in squares for step in steps]
        return np.array(rays, dtype=np.int64)

    def _ray(self, square: tuple[int, int], step: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the squares in one direction from a square, as rows and columns."""
        (row, column), (right, down) = square, step
        while 0 <= (row := row + down) < self.size and 0 <= (column := column + right) < self.size:
            yield row, column

    def _board(self, squares: Iterable[tuple[int, int]]) -> int:
        """Return the board with these squares, given as rows and columns."""
        return signed(sum(1 << row * self.size + column for row, column in squares))

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Discs:
        words = text.upper().split()
        if not words or len(words[0]) <= 2 or not set(words[0][:3]) <= set("XO-."):
            return self._played(text)
        if not set(words[0]) <= set("XO-."):
            raise PositionError(f"{text!r} is not a position: squares must be X, O or -")
        if len(words[0]) != self.size**2 or len(words) != 2 or words[1] not in ("X", "O"):
            raise PositionError(f"{text!r} is not a position: it has {len(words[0])} squares; wanted {self.size**2} "
                                "squares (X, O or -) and, after a space, who is to move (X or O)")  # fmt: skip
        black, white = (signed(sum(1 << i for i, cell in enumerate(words[0]) if cell == disc)) for disc in "XO")
        mine, theirs = (black, white) if words[1] == "X" else (white, black)
        return Discs(mine, theirs, self.reachable(mine, theirs), "XO".index(words[1]))

    def _played(self, text: str) -> Discs:
        """Return the position after the moves in a text; passes may be left out."""
        state = self.initial()
        for number, word in enumerate(re.findall(r"pass|--|\S\S?", text.lower()), 1):
            if word not in PASSES and not state.legal and not self.is_terminal(state):
                state = self.play(state, self.size**2)
            try:
                state = self.play(state, self.parse_move(state, word))
            except PositionError as error:
                raise PositionError(f"{text!r} is not a position: wanted {self.size**2} squares (X, O or -) and who is "
                                    f"to move (X or O), or moves; move {number}: {error}") from None  # fmt: skip
        return state

    def format(self, state: Discs) -> str:
        cells = "".join("-XO"[self.piece_at(state, square)] for square in range(self.size**2))
        return f"{cells} {'XO'[state.turn]}"

    def format_move(self, state: Discs, move: int) -> str:
        return PASSES[0] if move == self.size**2 else self.layout.name(move)

    def parse_move(self, state: Discs, text: str) -> int:
        return int(super().parse_move(state, PASSES[0] if text.strip() in PASSES else text))

    def player_name(self, player: int) -> str:
        return ("Black", "White")[player]

    # View -----------------------------------------------------------------------------------------------------------

    @cached_property
    def layout(self) -> Grid:  # type: ignore[override]
        return Grid(self.size, self.size, left=ROWS[: self.size], top=COLUMNS[: self.size], colour="green")

    def piece_at(self, state: Discs, place: int) -> int:
        if state.mine >> place & 1:
            return 1 + state.turn
        return 2 - state.turn if state.theirs >> place & 1 else 0

    def set_up(self, cells: Sequence[int], player: int) -> Discs:
        mine, theirs = (
            signed(sum(1 << i for i, cell in enumerate(cells) if cell == disc)) for disc in (1 + player, 2 - player)
        )
        return Discs(mine, theirs, self.reachable(mine, theirs), player)

    def tally(self, state: Discs) -> str:
        """Return the number of discs of each player."""
        discs = [popcount(state.mine), popcount(state.theirs)]
        return ", ".join(f"{self.player_name(player)} {discs[player ^ state.turn]}" for player in (MAX, MIN))

    def places(self, state: Discs, move: int) -> tuple[int, int]:
        return (-1, move if move < self.size * self.size else -1)

    def why_illegal(self, state: Discs, text: str) -> str:
        square = self.layout.place(text)
        if square < 0:
            return "you may pass only without another move" if text.lower() == PASSES[0] else ""
        return "there is a disc already" if self.piece_at(state, square) else "it would turn no disc"

    def score_text(self, score: float) -> str:
        if score == 0:
            return "equal"
        return f"{self.player_name(0 if score > 0 else 1)} by {abs(score):g}"

    def ending(self, state: Discs) -> str:
        more, fewer = sorted((popcount(state.mine), popcount(state.theirs)), reverse=True)
        return f"{abs(self.score(state))}, with {more} discs to {fewer}" if more > fewer else f"{more} discs each"

    def record(self, start: Discs, moves: Sequence[int], about: Mapping[str, str]) -> str | None:
        """Return the moves as ``f5d6c3``, without passes; None if the game did not begin at the usual position."""
        if start != self.initial():
            return None
        return "".join(self.layout.name(move) for move in moves if move < self.size**2) + "\n"

    def annotated_record(self, record: Record, about: Mapping[str, str]) -> str | None:
        return only_moves(self, record, about)


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
