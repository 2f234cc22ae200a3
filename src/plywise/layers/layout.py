"""Boards that can be drawn: a grid of cells, points where lines cross, or pits with stones, and the pieces on them.

A layout says where places are and what they are called; a game says, in integers, what is on them (``View.piece_at``).
The terminal, drawings of trees and the page all draw from these two.  Places are counted row by row from the top left.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from plywise.errors import GameError

COLOURS: Mapping[str, str] = MappingProxyType({
    "black": "#2e3138", "white": "#fdfcf8", "grey": "#7b8794", "red": "#c0362c", "orange": "#d4740c",
    "yellow": "#e3b92f", "green": "#2f8f4e", "blue": "#1f5fbf", "purple": "#7a4fb5", "brown": "#8a5a33",
})  # fmt: skip
"""Colours of pieces by name."""

DARK_INK, LIGHT_INK = "#1a1c20", "#ffffff"
EMPTY = "."
"""What stands for an empty place in a text."""


@dataclasses.dataclass(frozen=True)
class Piece:
    """What lies on a place.

    A piece with a colour is a round stone; one with a glyph, such as ♞, is that glyph in its colour; any other is its
    symbol, as in tic-tac-toe.

    >>> Piece("X", "red").fill
    '#c0362c'
    """

    symbol: str
    """How a text shows it, usually one letter."""
    colour: str = ""
    """The name of a colour, or its digits as in ``#c0362c``."""
    name: str = ""
    """What it is called, such as ``white knight``.  Default: the symbol."""
    glyph: str = ""
    """A sign to draw instead of a stone or the symbol."""

    def __post_init__(self) -> None:
        if not self.symbol or self.symbol.split() != [self.symbol]:
            raise GameError(f"Piece({self.symbol!r}): a symbol is one or more letters without spaces")
        if self.colour and self.colour not in COLOURS and not re.fullmatch(r"#[0-9a-fA-F]{6}", self.colour):
            allowed = ", ".join(COLOURS)
            raise GameError(f"{self.colour!r} is not the colour of a piece; write #rrggbb or one of {allowed}")

    @property
    def fill(self) -> str:
        """The colour as digits; empty if it has none."""
        return COLOURS.get(self.colour, self.colour)

    @property
    def detail(self) -> str:
        """The colour of what is drawn on the piece; empty if nothing is.

        Stones carry their symbols, so that nobody needs colours to tell them apart; black and white ones need none.
        """
        if not self.fill or (self.colour in ("black", "white") and not self.glyph):
            return ""
        red, green, blue = (int(self.fill[i : i + 2], 16) for i in (1, 3, 5))
        return DARK_INK if 0.3 * red + 0.59 * green + 0.11 * blue > 150 else LIGHT_INK

    def to_json(self) -> dict[str, str]:
        """Return what the page draws."""
        return {"symbol": self.symbol, "name": self.name or self.symbol, "glyph": self.glyph, "fill": self.fill,
                "detail": self.detail}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Layout:
    """Where places are: so many columns and rows, with names on their sides.  A subclass says what kind they are."""

    KIND: ClassVar[str] = ""

    columns: int
    rows: int
    left: Sequence[str] = ()
    """The names of the rows, from above, to be written on their left; a text has one letter for each."""
    right: Sequence[str] = ()
    """The same on their right."""
    bottom: Sequence[str] = ()
    """The names of the columns, written below them."""

    def __post_init__(self) -> None:
        if min(self.columns, self.rows) < 1:
            raise GameError(f"{type(self).__name__}: columns and rows must be at least 1")
        for side, count in (("left", self.rows), ("right", self.rows), ("bottom", self.columns)):
            names = tuple(getattr(self, side))
            if names and len(names) != count:
                raise GameError(f"{type(self).__name__}: {side} has {len(names)} names for {count}")
            object.__setattr__(self, side, names)

    @property
    def size(self) -> int:
        """How many places there are."""
        return self.columns * self.rows

    def name(self, place: int) -> str:
        """Return what a place is called, as far as its sides have names.

        >>> Grid(8, 8, right="87654321", bottom="abcdefgh").name(35)
        'd4'
        """
        row, column = divmod(place, self.columns)
        return "".join(names[i] for names, i in ((self.bottom, column), (self.left or self.right, row)) if names)

    def text(self, cells: Sequence[int], pieces: Sequence[Piece]) -> str:
        """Return the board for the terminal; ``cells`` are what ``View.piece_at`` says of each place."""
        return self._table([EMPTY if cell == 0 else pieces[cell - 1].symbol for cell in cells])

    def _table(self, words: Sequence[str]) -> str:
        """Return words in columns, with names around them."""
        width = max(map(len, [*words, *self.bottom]))
        margin = max(map(len, self.left), default=0)
        rows = [list(words[i : i + self.columns]) for i in range(0, len(words), self.columns)]
        lefts, rights = [*self.left] or [""] * self.rows, [*self.right] or [""] * self.rows
        if self.bottom:
            rows, lefts, rights = [*rows, list(self.bottom)], [*lefts, ""], [*rights, ""]
        return "\n".join(
            f"{left:>{margin}}{' ' if margin else ''}{' '.join(f'{word:>{width}}' for word in row)}"
            f"{'  ' if right else ''}{right}"
            for left, row, right in zip(lefts, rows, rights, strict=True)
        )

    def to_json(self) -> dict[str, Any]:
        """Return what the page draws."""
        return {"kind": self.KIND, **dataclasses.asdict(self)}


@dataclasses.dataclass(frozen=True)
class Grid(Layout):
    """Cells in columns and rows, as in chess.

    >>> print(Grid(3, 2, left="21", bottom="abc").text([0, 1, 0, 2, 0, 0], [Piece("X"), Piece("O")]))
    2 . X .
    1 O . .
      a b c
    """

    KIND: ClassVar[str] = "grid"

    chequered: bool = False
    """Whether cells are light and dark in turn."""
    falling: bool = False
    """Whether pieces are dropped into columns, so that a click anywhere in a column plays there."""


@dataclasses.dataclass(frozen=True)
class Points(Layout):
    """Points where lines cross, as in Go."""

    KIND: ClassVar[str] = "points"


@dataclasses.dataclass(frozen=True)
class Pits(Layout):
    """Pits or heaps with stones: ``View.piece_at`` says how many.  In one column, stones are shown one by one.

    >>> print(Pits(1, 2, left="ab").text([3, 1], [Piece("|")]))
    a | | |
    b |
    >>> print(Pits(3, 2, stores=True).text([4, 4, 4, 4, 0, 5, 7, 1], []))
           4   4   4
       7               1
           4   0   5
    """

    KIND: ClassVar[str] = "pits"

    stores: bool = False
    """Whether there is a larger pit on each side.  They come last: the left one, then the right one."""

    @property
    def size(self) -> int:
        return self.columns * self.rows + 2 * self.stores

    def name(self, place: int) -> str:
        return "" if place >= self.columns * self.rows else super().name(place)

    def text(self, cells: Sequence[int], pieces: Sequence[Piece]) -> str:
        if self.columns == 1 and not self.stores:
            names = self.left or [""] * self.rows
            symbol = pieces[0].symbol if pieces else "|"
            return "\n".join(
                " ".join([*filter(None, [name]), *[symbol] * stones]) for name, stones in zip(names, cells, strict=True)
            )
        width = max(3, *(len(str(stones)) for stones in cells))
        table = self._table([f"{stones:{width}}" for stones in cells[: self.columns * self.rows]]).splitlines()
        if self.stores:
            left, right = cells[-2:]
            inside = " " * (self.columns * (width + 1))
            table = [" " * (width + 2) + line for line in table]
            table.insert((self.rows + 1) // 2, f" {left:{width}}{inside}{right:{width + 1}}")
        return "\n".join(table)
