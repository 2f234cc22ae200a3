"""RED-BLUE: Min, Max and Min each choose blue or red; the three colours lead to a leaf of this tree.

    Min                     .
                     B            R
    Max              .            .
                  B     R      B     R
    Min           .     .      .     .
                 B R   B R    B R   B R
    score        1 -5  3 -3   4 -2  0  6

By hand: the last Min chooses -5, -3, -2 and 0 from the four pairs, Max chooses -3 and 0 from these, and the first Min
chooses -3: best play is blue, red, red.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plywise.errors import PositionError
from plywise.game import MAX, MIN, Game
from plywise.layers import Grid, Piece, View

COLOUR_LETTERS = "BR"
LEAVES = (1, -5, 3, -3, 4, -2, 0, 6)
"""The scores, with blue to the left."""


class Choices(NamedTuple):
    chosen: int
    """The colours chosen so far, as the digits of a binary number: 0 for blue, 1 for red."""
    plies: int
    """How many colours have been chosen."""


class RedBlue(View, Game):
    """The smallest game in which pruning shows.  A move is 0 for blue, 1 for red; ``BR`` is the text of a position.

    >>> game = RedBlue()
    >>> game.score(game.parse("BRR"))
    -3
    """

    title = "RED-BLUE"
    description = "Min, Max and Min each choose blue or red: a small tree."
    known_size = (15, "2^3")
    written = True
    layout = Grid(3, 1)
    pieces = (Piece("B", "blue"), Piece("R", "red"))

    def initial(self) -> Choices:
        return Choices(0, 0)

    def to_move(self, state: Choices) -> int:
        return MIN if state.plies % 2 == 0 else MAX

    def moves(self, state: Choices) -> Iterator[int]:
        if not self.is_terminal(state):
            yield 0
            yield 1

    def play(self, state: Choices, move: int) -> Choices:
        return Choices(2 * state.chosen + move, state.plies + 1)

    def is_terminal(self, state: Choices) -> bool:
        return state.plies == 3

    def score(self, state: Choices) -> int:
        return LEAVES[state.chosen]

    def bounds(self, state: Choices) -> tuple[int, int]:
        return (min(LEAVES), max(LEAVES))

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Choices:
        colours = text.strip().upper()
        if len(colours) > 3 or set(colours) - set(COLOUR_LETTERS):
            raise PositionError(f"{text!r} is not a position: it needs up to three letters, each B or R, such as 'BR'")
        state = self.initial()
        for colour in colours:
            state = self.play(state, COLOUR_LETTERS.index(colour))
        return state

    def format(self, state: Choices) -> str:
        return "".join(COLOUR_LETTERS[state.chosen >> i & 1] for i in reversed(range(state.plies)))

    def format_move(self, state: Choices, move: int) -> str:
        return COLOUR_LETTERS[move]

    def piece_at(self, state: Choices, place: int) -> int:
        return 1 + (state.chosen >> state.plies - 1 - place & 1) if place < state.plies else 0
