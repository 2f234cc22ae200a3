"""Small boards for the nodes of a drawing: a layout and its pieces as areas, lines, discs and letters.

``static/view/miniature.js`` draws the same on the page, with the same measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plywise.layers.layout import DARK_INK, Layout, Piece

Point = tuple[float, float]

CELL = 13.0
STONE = 0.42
"""The radius of a stone, in cells."""
STAR = 0.14
"""The radius of a star point, in cells."""
LETTER = 0.78
"""The size of a letter, in cells."""
BASELINE = 0.36
"""The distance from the middle of a letter down to its baseline, as a share of its size."""
LIGHT_SQUARE, DARK_SQUARE = "#eef1f5", "#a3b5cb"


class Mark(NamedTuple):
    """One element to draw: a letter, a disc around a point, or an area or line through points.

    A colour is a name in ``look.PALETTES`` or hexadecimal; an empty one is not drawn.
    """

    points: tuple[Point, ...]
    fill: str = ""
    edge: str = ""
    radius: float = 0.0
    text: str = ""
    """A letter; the point is the middle of its baseline."""
    plain: str = ""
    """What to write where glyphs are not available."""
    size: float = 0.0
    """The size of the letter."""

    def moved(self, right: float, down: float) -> Mark:
        """Return the mark, moved."""
        return self._replace(points=tuple((x + right, y + down) for x, y in self.points))


class Miniature(NamedTuple):
    """A board with its pieces."""

    layout: Layout
    pieces: Sequence[Piece]
    cells: Sequence[int]

    @property
    def size(self) -> Point:
        """Its width and height."""
        return (self.layout.columns + 2 * self._margin) * CELL, self.layout.rows * CELL

    @property
    def _margin(self) -> int:
        """Columns that stores take on either side."""
        return int(len(self.cells) > self.layout.columns * self.layout.rows)

    def marks(self) -> Iterator[Mark]:
        """Yield what to draw, from back to front; the upper left corner is at (0, 0)."""
        yield from {"grid": self._grid, "points": self._crossings, "pits": self._pits}[self.layout.KIND]()
        if self.layout.KIND != "pits":
            for place, cell in enumerate(self.cells):
                if cell:
                    yield from _piece(self.pieces[cell - 1], self._middle(place))

    def _middle(self, place: int) -> Point:
        columns, rows = self.layout.columns, self.layout.rows
        if place >= columns * rows:  # a store
            return ((0.5 if place == columns * rows else columns + 1.5) * CELL, rows * CELL / 2)
        return (place % columns + 0.5 + self._margin) * CELL, (place // columns + 0.5) * CELL

    def _grid(self) -> Iterator[Mark]:
        columns, rows, chequered = self.layout.columns, self.layout.rows, getattr(self.layout, "chequered", False)
        yield _box(0, 0, columns, rows, LIGHT_SQUARE if chequered else getattr(self.layout, "fill", "") or "paper")
        if chequered:
            dark = [(column, row) for row in range(rows) for column in range(columns) if (row + column) % 2]
            yield from (_box(column, row, 1, 1, DARK_SQUARE, "") for column, row in dark)
            return
        yield from (Mark(((i * CELL, 0), (i * CELL, rows * CELL)), edge="line") for i in range(1, columns))
        yield from (Mark(((0, i * CELL), (columns * CELL, i * CELL)), edge="line") for i in range(1, rows))

    def _crossings(self) -> Iterator[Mark]:
        columns, rows = self.layout.columns, self.layout.rows
        yield _box(0, 0, columns, rows, "paper")
        for i in range(columns):
            x = (i + 0.5) * CELL
            yield Mark(((x, 0.5 * CELL), (x, (rows - 0.5) * CELL)), edge="line")
        for i in range(rows):
            y = (i + 0.5) * CELL
            yield Mark(((0.5 * CELL, y), ((columns - 0.5) * CELL, y)), edge="line")
        for place in getattr(self.layout, "stars", ()):
            yield Mark((self._middle(place),), "line", radius=STAR * CELL)

    def _pits(self) -> Iterator[Mark]:
        for place, stones in enumerate(self.cells):
            middle = self._middle(place)
            yield Mark((middle,), "paper", "line", radius=0.47 * CELL)
            yield _letter(str(stones), middle, "ink", size=LETTER * CELL * (0.9 if stones < 10 else 0.7))


def _box(column: int, row: int, columns: int, rows: int, fill: str, edge: str = "line") -> Mark:
    left, top, right, bottom = (i * CELL for i in (column, row, column + columns, row + rows))
    return Mark(((left, top), (right, top), (right, bottom), (left, bottom), (left, top)), fill, edge)


def _piece(piece: Piece, middle: Point) -> Iterator[Mark]:
    """Yield a glyph, a stone or a symbol."""
    if piece.glyph:
        edge = DARK_INK if piece.fill else ""
        yield _letter(piece.glyph, middle, piece.fill or "ink", edge, piece.symbol, 0.95 * CELL)
        return
    if piece.fill:
        yield Mark((middle,), piece.fill, DARK_INK, radius=STONE * CELL)
    if piece.detail or not piece.fill:
        size = LETTER * CELL * (0.8 if piece.fill else 1)
        yield _letter(piece.badge or piece.symbol, middle, piece.detail or "ink", size=size)


def _letter(text: str, middle: Point, fill: str, edge: str = "", plain: str = "", size: float = LETTER * CELL) -> Mark:
    return Mark(((middle[0], middle[1] + BASELINE * size),), fill, edge, text=text, plain=plain or text, size=size)
