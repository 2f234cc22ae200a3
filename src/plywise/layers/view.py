"""View: how a game looks to people."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from plywise.errors import PositionError
from plywise.io.wording import signed
from plywise.layers.layer import Layer
from plywise.layers.layout import Layout, Piece
from plywise.layers.set_up_found import inferred


@dataclasses.dataclass(frozen=True)
class _OfClass:
    """A text derived from a class, as a default for its attribute."""

    text: Callable[[type], str]

    def __get__(self, game: Any, game_class: type) -> str:
        return self.text(game_class)


def class_title(game_class: type) -> str:
    """Return the name of a class in words: ``DotsAndBoxes`` is ``Dots And Boxes``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", game_class.__name__)


def _class_description(game_class: type) -> str:
    """Return the first line of the docstring; empty if there is none (``dataclass`` then inserts the signature)."""
    text = inspect.cleandoc(game_class.__doc__ or "")
    return "" if text.startswith(f"{game_class.__name__}(") else text.partition("\n")[0]


class View(Layer):
    """How a game looks to people.  Buys: the same board and words in the terminal, in drawings and on the page.

    Searches do not compile it, but write ``piece_at`` and ``places`` like rules, with integers.
    """

    METHODS: ClassVar[tuple[str, ...]] = ()
    IN_SEARCHES: ClassVar[bool] = False

    title: ClassVar[str] = _OfClass(class_title)  # type: ignore[assignment]
    """The name of the game.  Default: the class name, split into words."""

    description: ClassVar[str] = _OfClass(_class_description)  # type: ignore[assignment]
    """The game in one sentence.  Default: the first line of the docstring."""

    known_size: ClassVar[tuple[int | None, str]] = (None, "")
    """The number of reachable positions (None: unknown) and the size of the tree, such as ``4^36``, with default
    parameters.
    """

    estimated_size: ClassVar[str] = ""
    """What textbooks estimate for the number of positions, such as ``at most 3^9``.  Default: nothing."""

    written: ClassVar[bool] = False
    """Whether the game is an explicit tree, whose leaves the reader can see in advance."""

    layout: ClassVar[Layout | None] = None
    """The board: a ``Grid``, ``Points``, ``Pits`` or a ``Sheet``; a ``cached_property`` if it depends on parameters.
    Default: None; positions are then shown as text.
    """

    pieces: ClassVar[tuple[Piece, ...]] = ()
    """The pieces that ``piece_at`` calls 1, 2, and so on."""

    mark_name: ClassVar[str] = ""
    """What the marks of ``marked`` mean, such as ``in check``, for screen readers."""

    record_suffix: ClassVar[str] = "txt"
    """The file extension for a ``record``, such as ``pgn``."""

    # The board, in integers -----------------------------------------------------------------------------------------

    def piece_at(self, state: Any, place: int) -> int:
        """Return what is on a place: 0 if empty, n for the nth of ``pieces``; in pits, the stones; on a sheet, also
        numbers (``Sheet.written``).  Buys: the board.
        """
        return 0

    def places(self, state: Any, move: Any) -> tuple[int, int]:
        """Return the origin and target of a move, -1 for none.  Buys: play by clicking, and a marked last move."""
        return (-1, -1)

    def routes(self, state: Any, move: Any) -> Iterable[Sequence[int]]:
        """Return the ways that a move may take, each with all its places in order, such as the squares where a piece
        lands that jumps several times.  Buys: clicking them one after the other.

        Default: one way, from the origin to the target.
        """
        return [[place for place in self.places(state, move) if place >= 0]]

    def selection(self, state: Any, move: Any) -> Iterable[int] | None:
        """Return the places that a move selects, if it is made by selecting any number of places, such as the dice to
        keep.  Buys: clicking them one after the other instead of a button for every combination.

        Default: None; the move is not made so.  Dice with the same face may stand for each other.
        """
        return None

    def dice_shown(self, state: Any, move: Any) -> Iterable[int]:
        """Return the faces, 1 to 6, of the dice that a move of chance shows.  Buys: dice that roll on the page.

        Default: none; the page then shows the name of the move.
        """
        return ()

    def marked(self, state: Any) -> Iterable[int]:
        """Return the places to highlight, such as a winning line or a king in check.  Buys: marks on the page."""
        return ()

    def set_up(self, cells: Sequence[int], player: int) -> Any:
        """Return the position with these pieces, as ``piece_at`` numbers them for each place, and this player to move.
        Buys: the board editor of the page, if the default does not do.

        Raise PositionError with a plain sentence if there is no such position.  What the board does not show, such as
        the right to castle, is up to you.  Default: found by experiment, if a position is a NamedTuple of the board and
        the player to move, and nothing else; otherwise there is no editor.
        """
        way = inferred(self)
        if way is None:
            raise PositionError(f"class {type(self).__name__} must define set_up(self, cells, player)")
        return way.state(self, cells, player)

    # Words ----------------------------------------------------------------------------------------------------------

    def move_name(self, state: Any, move: Any) -> str:
        """Return a move as players write it, such as Nf3.  Buys: familiar notation.  Default: ``format_move``."""
        return self.format_move(state, move)

    def why_illegal(self, state: Any, text: str) -> str:
        """Return why a text is not a legal move here, such as ``you must capture``.  Buys: the reason in the message.

        It is asked about texts that ``parse_move`` does not find among the legal moves, and about the names of places
        that are not moves as they are written, for clicks on the page.  Default: empty; no reason is given.
        """
        return ""

    def tally(self, state: Any) -> str:
        """Return how the players stand, such as ``Black 2, White 2``, if the board does not show it at a glance.  Buys:
        this line beside whose turn it is.  Default: empty.
        """
        return ""

    def score_text(self, score: float) -> str:
        """Return the meaning of a value for Max, such as ``White by 3 stones``.  Buys: results in the game's words.

        Default: the number; with ``FastestWin``, who wins in how many moves.
        """
        plies = self.plies_to_win(score)
        if plies < 0:
            return signed(score)
        winner = self.player_name(0 if score > 0 else 1)
        return f"{winner} wins in {math.ceil(plies / 2)}" if plies else f"{winner} wins"

    def ending(self, state: Any) -> str:
        """Return what decided a finished game, such as ``checkmate``.  Buys: "wins by checkmate" in messages.

        Default: empty; the score is then shown, unless every win is worth 1.
        """
        return ""

    def board(self, state: Any) -> str:
        """Return a picture of a position for the terminal.  Default: drawn from the layout; without one, the text."""
        return self.format(state) if self.layout is None else self.layout.text(cells_of(self, state), self.pieces)

    def record(self, start: Any, moves: Sequence[Any], about: Mapping[str, str]) -> str | None:
        """Return a played game in its usual file format, such as PGN; None if there is none.  Buys: saved games.

        ``about`` has the keys ``event``, ``date``, ``round``, ``max`` and ``min`` (the players' names), ``result``
        (1-0, 0-1 or 1/2-1/2, Max's first), ``reason``, ``clock`` and ``dice`` (the seed of the umpire's dice).
        """
        return None

    def annotated_record(self, record: Any, about: Mapping[str, str]) -> str | None:
        """Return the same for a ``plywise.games.records.Record``, whose moves may have comments, annotations and
        variations.  Buys: *Download* on the page saves these too.

        What the record tells itself, its headers and its result, counts more than ``about``.  Default: ``record`` of
        the main line.
        """
        return self.record(record.start, record.moves, about)

    def recorded(self, text: str) -> Iterable[Any] | None:
        """Return the games in a text in the format of ``record``, as ``plywise.games.records.Record``.  Buys: reading
        saved games with their comments and variations.

        A game that is wrong keeps its moves up to there; its ``problem`` says what is wrong.  Default: None; a text is
        then read as a list of moves or as a position.
        """
        return None


def cells_of(game: Any, state: Any) -> tuple[int, ...]:
    """Return ``piece_at`` for each place; the game has a layout."""
    return tuple(int(game.piece_at(state, place)) for place in range(game.layout.size))


def board_json(game: Any) -> dict[str, Any] | None:
    """Return the empty board of a game as data for the page; None if it has no layout."""
    return None if game.layout is None else {**game.layout.to_json(), "pieces": [p.to_json() for p in game.pieces]}
