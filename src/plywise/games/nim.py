"""Nim: take any number of objects from one heap; the player who takes the last one wins, or loses in misère play.

Bouton solved it in 1901: the player to move loses if the exclusive or of the heap sizes is zero (misère: the same, but
if no heap has more than one object, then if their number is odd).  So every answer of a search can be checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from plywise.bits import with_item
from plywise.errors import GameError, PositionError
from plywise.game import MAX, Game, sign
from plywise.games.flags import check_flags
from plywise.layers import Piece, Pits, View

NAMES = "abcdefghijklmnopqrstuvwxyz"
"""The names of heaps in texts."""
LARGEST_HEAP = 10_000
"""A heap of this size has this many moves."""
TURNS = ("max", "min")
"""The names of players in texts."""


class Heaps(NamedTuple):
    heaps: tuple[int, ...]
    turn: int


class Nim(View, Game):
    """Nim with these heaps.  Max moves first.  A win scores 1 for Max and -1 for Min.

    A move that takes ``count`` from heap number ``heap`` is ``count * len(heaps) + heap``; its text is ``b3`` for three
    from the second heap.  The text of a position is the heaps and the player to move.

    >>> game = Nim((3, 4, 5))
    >>> state = game.play(game.initial(), game.parse_move(game.initial(), "b3"))
    >>> game.format(state)
    '3,1,5 min'
    >>> print(game.board(state))
    a | | |
    b |
    c | | | | |
    """

    description = "Take from one heap; the player who takes the last object wins."
    known_size = (232, "12!")
    pieces = (Piece("|"),)
    heaps: tuple[int, ...] = (3, 4, 5)
    misere: bool = False

    def __post_init__(self) -> None:
        heaps = tuple(self.heaps) if isinstance(self.heaps, Iterable) else ()
        sizes_fit = all(type(h) is int and 0 <= h <= LARGEST_HEAP for h in heaps)
        if not 1 <= len(heaps) <= len(NAMES) or not sizes_fit:
            raise GameError(f"{self!r} is not possible: it needs a list of 1 to {len(NAMES)} heaps, each a whole "
                            f"number from 0 to {LARGEST_HEAP:,}, such as Nim([3, 4, 5])")  # fmt: skip
        check_flags(self)
        object.__setattr__(self, "heaps", heaps)

    def initial(self) -> Heaps:
        return Heaps(self.heaps, MAX)

    def to_move(self, state: Heaps) -> int:
        return state.turn

    def moves(self, state: Heaps) -> Iterator[int]:
        for heap in range(len(self.heaps)):
            for count in range(1, state.heaps[heap] + 1):
                yield count * len(self.heaps) + heap

    def play(self, state: Heaps, move: int) -> Heaps:
        count, heap = divmod(move, len(self.heaps))
        return Heaps(with_item(state.heaps, heap, state.heaps[heap] - count), 1 - state.turn)

    def is_terminal(self, state: Heaps) -> bool:
        return sum(state.heaps) == 0

    def score(self, state: Heaps) -> int:
        return sign(state.turn) if self.misere else -sign(state.turn)  # the opponent took the last object

    def bounds(self, state: Heaps) -> tuple[int, int]:
        return (-1, 1)

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Heaps:
        sizes, _, turn = text.strip().lower().partition(" ")
        words = sizes.split(",")
        turn = turn.strip() or TURNS[MAX]
        if turn not in TURNS or len(words) != len(self.heaps) or not all(w.isascii() and w.isdigit() for w in words):
            raise PositionError(f"{text!r} is not a position: it needs the sizes of {len(self.heaps)} heaps and the "
                                f"player to move, max or min, such as {self.format(self.initial())!r}")  # fmt: skip
        heaps = tuple(map(int, words))
        for name, size, most in zip(NAMES, heaps, self.heaps, strict=False):
            if size > most:
                raise PositionError(f"{text!r} is not a position: heap {name} starts with {most} and cannot grow")
        return Heaps(heaps, TURNS.index(turn))

    def format(self, state: Heaps) -> str:
        return f"{','.join(map(str, state.heaps))} {TURNS[state.turn]}"

    def format_move(self, state: Heaps, move: int) -> str:
        count, heap = divmod(move, len(self.heaps))
        return f"{NAMES[heap]}{count}"

    # View -----------------------------------------------------------------------------------------------------------

    @cached_property
    def layout(self) -> Pits:  # type: ignore[override]
        return Pits(1, len(self.heaps), left=NAMES[: len(self.heaps)])

    def piece_at(self, state: Heaps, place: int) -> int:
        return state.heaps[place]

    def places(self, state: Heaps, move: int) -> tuple[int, int]:
        return (move % len(self.heaps), -1)
