"""View: how people see a game."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from plywise.io.wording import signed
from plywise.layers.layer import Layer
from plywise.layers.layout import Layout, Piece


@dataclasses.dataclass(frozen=True)
class _OfClass:
    """A text that follows from a class, for classes that do not say it themselves."""

    text: Callable[[type], str]

    def __get__(self, game: Any, game_class: type) -> str:
        return self.text(game_class)


def class_title(game_class: type) -> str:
    """Return the name of a class in words: ``DotsAndBoxes`` is ``Dots And Boxes``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", game_class.__name__)


def _class_description(game_class: type) -> str:
    """Return the first line of a docstring.  Where there is none, ``dataclass`` writes the signature, which is none."""
    text = inspect.cleandoc(game_class.__doc__ or "")
    return "" if text.startswith(f"{game_class.__name__}(") else text.partition("\n")[0]


class View(Layer):
    """How people see a game.  Buys: the same board and words in the terminal, in drawings and on the page.

    Nothing of it is compiled for a search, but ``piece_at`` and ``places`` are written like rules, in integers.
    """

    METHODS: ClassVar[tuple[str, ...]] = ()
    FOR_PEOPLE: ClassVar[bool] = True

    title: ClassVar[str] = _OfClass(class_title)  # type: ignore[assignment]
    """What the game is called.  Default: the name of the class, in words."""

    description: ClassVar[str] = _OfClass(_class_description)  # type: ignore[assignment]
    """What it is about, in a sentence.  Default: the first line of the docstring."""

    known_size: ClassVar[tuple[int | None, str]] = (None, "")
    """With the usual parameters: how many positions can arise, and the size of the tree, such as ``4^36``."""

    written: ClassVar[bool] = False
    """Whether the game is a tree that is written down, so that a reader knows the leaves before a search does."""

    layout: ClassVar[Layout | None] = None
    """The board: a ``Grid``, ``Points`` or ``Pits``; a ``cached_property`` if it depends on parameters.  Default: none,
    so that a position is shown by its text.
    """

    pieces: ClassVar[tuple[Piece, ...]] = ()
    """What ``piece_at`` means by 1, 2, and so on."""

    mark_name: ClassVar[str] = ""
    """What a place is that ``marked`` points out, for those who cannot see it: ``in check``."""

    record_suffix: ClassVar[str] = "txt"
    """How the name of a file ends that holds a ``record``, such as ``pgn``."""

    # The board, in integers -----------------------------------------------------------------------------------------

    def piece_at(self, state: Any, place: int) -> int:
        """Return what is on a place: 0 for nothing, 1 for the first of ``pieces``; in pits, how many stones."""
        return 0

    def places(self, state: Any, move: Any) -> tuple[int, int]:
        """Return where a move leads from and to, -1 for nowhere.  Buys: moves by clicking, and the last one marked."""
        return (-1, -1)

    def marked(self, state: Any) -> Iterable[int]:
        """Return the places to point out, such as a winning line or a king in check."""
        return ()

    # Words ----------------------------------------------------------------------------------------------------------

    def move_name(self, state: Any, move: Any) -> str:
        """Return a move as players write it, such as Nf3.  Default: ``format_move``."""
        return self.format_move(state, move)

    def score_text(self, score: float) -> str:
        """Return what a value that a search found means for Max: ``White by 3 stones``, ``+0.35``.

        Default: the number, or how many moves away a win is (``FastestWin``).
        """
        plies = self.plies_to_win(score)
        if plies < 0:
            return signed(score)
        winner = self.player_name(0 if score > 0 else 1)
        return f"{winner} wins in {math.ceil(plies / 2)}" if plies else f"{winner} wins"

    def ending(self, state: Any) -> str:
        """Return what decided a finished game, to follow "wins by": ``checkmate``, ``3 stones``.

        Default: nothing; then the score is told, unless every win is worth 1.
        """
        return ""

    def board(self, state: Any) -> str:
        """Return a picture of a position for the terminal: its layout, else its text."""
        return self.format(state) if self.layout is None else self.layout.text(cells_of(self, state), self.pieces)

    def record(self, start: Any, moves: Sequence[Any], about: Mapping[str, str]) -> str | None:
        """Return a game that was played as players of this game write it down, such as PGN; None: there is no such
        form.

        ``about`` has what a reader wants to know: ``event``, ``date``, ``round``, ``max`` and ``min`` (who played),
        ``result`` (1-0, 0-1 or 1/2-1/2, Max's first), ``reason`` and ``clock``.
        """
        return None


def cells_of(game: Any, state: Any) -> tuple[int, ...]:
    """Return what is on each place of a game that has a layout."""
    return tuple(int(game.piece_at(state, place)) for place in range(game.layout.size))


def board_json(game: Any) -> dict[str, Any] | None:
    """Return the board of a game, without any position, as a page draws it; None if it has no layout."""
    return None if game.layout is None else {**game.layout.to_json(), "pieces": [p.to_json() for p in game.pieces]}
