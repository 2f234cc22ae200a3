"""Boards that can be drawn: cells, points where lines cross, pits with stones, score sheets, and the pieces on them.

A layout defines the places and their names; the game says, as integers, what is on them (``View.piece_at``).  The
terminal, drawings of trees and the page all draw from these two.  Places are numbered row by row from the top left.
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
"""An empty place, as text."""
STAR = "+"
"""An empty star point, as text."""


@dataclasses.dataclass(frozen=True)
class Piece:
    """A piece on the board.

    A piece with a glyph, such as ♞, is drawn as that glyph in its colour; one with only a colour, as a round stone; any
    other, as its symbol, as in tic-tac-toe.

    >>> Piece("X", "red").fill
    '#c0362c'
    """

    symbol: str
    """The piece as text, usually one letter."""
    colour: str = ""
    """The name of a colour, or its code, such as ``#c0362c``."""
    name: str = ""
    """The name of the piece, such as ``white knight``.  Default: the symbol."""
    glyph: str = ""
    """A character to draw instead of a stone or the symbol."""
    badge: str = ""
    """A letter to draw on a stone, such as K for a king in checkers."""

    def __post_init__(self) -> None:
        if not self.symbol or self.symbol.split() != [self.symbol]:
            raise GameError(f"Piece({self.symbol!r}): a symbol is one or more letters without spaces")
        _check_colour(self.colour, "a piece")

    @property
    def fill(self) -> str:
        """The colour as ``#rrggbb``; empty if there is none."""
        return COLOURS.get(self.colour, self.colour)

    @property
    def detail(self) -> str:
        """The colour of the symbol or glyph on the piece; empty if nothing is drawn on it.

        Stones carry their badges, or their symbols, for readers who cannot tell the colours apart; black and white
        stones do not need symbols.
        """
        if not self.fill or (self.colour in ("black", "white") and not self.glyph and not self.badge):
            return ""
        red, green, blue = (int(self.fill[i : i + 2], 16) for i in (1, 3, 5))
        return DARK_INK if 0.3 * red + 0.59 * green + 0.11 * blue > 150 else LIGHT_INK

    def to_json(self) -> dict[str, str]:
        """Return the piece as data for the page."""
        return {"symbol": self.symbol, "name": self.name or self.symbol, "glyph": self.glyph, "fill": self.fill,
                "badge": self.badge, "detail": self.detail}  # fmt: skip


def _check_colour(colour: str, thing: str) -> None:
    if colour and colour not in COLOURS and not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise GameError(f"{colour!r} is not a colour for {thing}; write #rrggbb or one of {', '.join(COLOURS)}")


@dataclasses.dataclass(frozen=True)
class Layout:
    """The places of a board: columns and rows, with names along the sides.  A subclass defines what they look like."""

    KIND: ClassVar[str] = ""

    columns: int
    rows: int
    left: Sequence[str] = ()
    """Row names to the left of the rows, from the top; a string gives one letter to each row."""
    right: Sequence[str] = ()
    """Row names to the right of the rows."""
    bottom: Sequence[str] = ()
    """Column names below the columns."""
    top: Sequence[str] = ()
    """Column names above the columns."""
    numbers: Sequence[str] = ()
    """What is written on the places, such as the numbers of squares in checkers; empty for a place that is not used."""
    seat: int = 0
    """The player who sits below the board; if pieces move, the page turns it for the other one."""

    def __post_init__(self) -> None:
        if min(self.columns, self.rows) < 1:
            raise GameError(f"{type(self).__name__}: columns and rows must be at least 1")
        sides = (("left", self.rows), ("right", self.rows), ("bottom", self.columns), ("top", self.columns))
        for side, count in (*sides, ("numbers", self.size)):
            names = tuple(getattr(self, side))
            if names and len(names) != count:
                raise GameError(f"{type(self).__name__}: {side} has {len(names)} names, but needs {count}")
            object.__setattr__(self, side, names)

    @property
    def size(self) -> int:
        """The number of places."""
        return self.columns * self.rows

    def name(self, place: int) -> str:
        """Return the name of a place: its number if places have numbers, else its column's name, then its row's.

        If columns have two names, the upper half of the board has the upper one.

        >>> Grid(8, 8, right="87654321", bottom="abcdefgh").name(35)
        'd4'
        """
        if self.numbers:
            return self.numbers[place]
        row, column = divmod(place, self.columns)
        upper = 2 * row < self.rows
        columns = (self.top or self.bottom) if upper else (self.bottom or self.top)
        return "".join(names[i] for names, i in ((columns, column), (self.left or self.right, row)) if names)

    def place(self, name: str) -> int:
        """Return the place with this name, in upper or lower case; -1 if there is none.

        >>> Grid(8, 8, right="87654321", bottom="abcdefgh").place("D4")
        35
        """
        return next((place for place in range(self.size) if self.name(place).lower() == name.lower()), -1)

    def text(self, cells: Sequence[int], pieces: Sequence[Piece]) -> str:
        """Return the board for the terminal; ``cells`` has the ``View.piece_at`` of each place."""
        return self._table(self._words(cells, pieces))

    def _words(self, cells: Sequence[int], pieces: Sequence[Piece]) -> list[str]:
        """Return what is on each place, as text."""
        empty = [number or " " for number in self.numbers] or [EMPTY] * len(cells)
        return [pieces[cell - 1].symbol if cell else empty[place] for place, cell in enumerate(cells)]

    def _table(self, words: Sequence[str]) -> str:
        """Return words in columns, with the names along the sides."""
        width = max(map(len, [*words, *self.bottom, *self.top]))
        margin = max(map(len, self.left), default=0)
        rows = [list(words[i : i + self.columns]) for i in range(0, len(words), self.columns)]
        lefts, rights = [*self.left] or [""] * self.rows, [*self.right] or [""] * self.rows
        if self.bottom:
            rows, lefts, rights = [*rows, list(self.bottom)], [*lefts, ""], [*rights, ""]
        if self.top:
            rows, lefts, rights = [list(self.top), *rows], ["", *lefts], ["", *rights]
        return "\n".join(
            f"{left:>{margin}}{' ' if margin else ''}{' '.join(f'{word:>{width}}' for word in row)}"
            f"{'  ' if right else ''}{right}"
            for left, row, right in zip(lefts, rows, rights, strict=True)
        )

    def to_json(self) -> dict[str, Any]:
        """Return the layout as data for the page."""
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
    """Whether light and dark cells alternate."""
    falling: bool = False
    """Whether pieces drop into columns, so that a click anywhere in a column plays there."""
    stacks: int = 0
    """How high pieces stand on top of each other at both ends of each column, as in Backgammon; a click anywhere in
    such a stack means its uppermost piece.
    """
    colour: str = ""
    """The colour of the board, as for pieces; thin lines then divide its cells, as in Othello."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_colour(self.colour, "a board")

    @property
    def fill(self) -> str:
        """The colour as ``#rrggbb``; empty if there is none."""
        return COLOURS.get(self.colour, self.colour)

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "colour": self.fill}


@dataclasses.dataclass(frozen=True)
class Points(Layout):
    """Points where lines cross, as in Go.

    >>> print(Points(3, 3, stars=(4,)).text([0, 1, 0, 2, 0, 0, 0, 0, 0], [Piece("X"), Piece("O")]))
    . X .
    O + .
    . . .
    """

    KIND: ClassVar[str] = "points"

    stars: tuple[int, ...] = ()
    """The places with a dot, for the eye."""

    def _words(self, cells: Sequence[int], pieces: Sequence[Piece]) -> list[str]:
        words = super()._words(cells, pieces)
        return [STAR if word == EMPTY and place in self.stars else word for place, word in enumerate(words)]


@dataclasses.dataclass(frozen=True)
class Pits(Layout):
    """Pits or heaps with stones: ``View.piece_at`` returns how many.  A single column shows the stones one by one.

    >>> print(Pits(1, 2, left="ab").text([3, 1], [Piece("|")]))
    a | | |
    b |
    >>> print(Pits(3, 2, top="cba", bottom="ABC", stores=True).text([4, 4, 4, 4, 0, 5, 7, 1], []))
           c   b   a
           4   4   4
       7               1
           4   0   5
           A   B   C
    """

    KIND: ClassVar[str] = "pits"

    stores: bool = False
    """Whether there is a larger pit on each side.  These two are the last places: left, then right."""

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
            table.insert(len(self.top[:1]) + (self.rows + 1) // 2, f" {left:{width}}{inside}{right:{width + 1}}")
        return "\n".join(table)


@dataclasses.dataclass(frozen=True)
class Sheet(Layout):
    """A score sheet: rows of boxes with numbers or pieces in them, and dice beside it.

    ``View.piece_at`` returns 0 for an empty box, n for the nth of ``pieces``, and ``written(n)`` for the number n.

    >>> sheet = Sheet(2, 2, left=["ones", "total"], top=["Ann", "Ben"], dice=3)
    >>> print(sheet.text([1, 0, sheet.written(4), sheet.written(0), 2, 0, 0], [Piece("x"), Piece("6", glyph="⚅")]))
    6 . .
          Ann Ben
     ones   x   .
    total   4   0
    """

    KIND: ClassVar[str] = "sheet"

    dice: int = 0
    """How many dice lie beside the sheet.  These are the last places."""

    @property
    def size(self) -> int:
        return self.columns * self.rows + self.dice

    @staticmethod
    def written(number: int) -> int:
        """Return the ``View.piece_at`` of a box with a number in it, 0 or more."""
        if number < 0:
            raise GameError(f"a box of a sheet holds a number from 0 on, not {number}")
        return -1 - number

    def name(self, place: int) -> str:
        row, column = divmod(place, self.columns)
        if row >= self.rows:
            return f"die {place - self.columns * self.rows + 1}"
        return " ".join(names[i] for names, i in ((self.top or self.bottom, column), (self.left, row)) if names)

    def text(self, cells: Sequence[int], pieces: Sequence[Piece]) -> str:
        words = [EMPTY if cell == 0 else pieces[cell - 1].symbol if cell > 0 else str(-1 - cell) for cell in cells]
        boxes = self.columns * self.rows
        return "\n".join([*[" ".join(words[boxes:])] * bool(self.dice), self._table(words[:boxes])])
