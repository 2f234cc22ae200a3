"""PGN: records of chess games.  A game may start from any position (``FEN``) and may be Chess960 (``Variant``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from plywise.bits import signed
from plywise.errors import PositionError
from plywise.games.chess.board import BACK_RANKS, Position
from plywise.games.chess.fen import START_FEN, format_fen, parse_fen
from plywise.games.chess.notation import format_san, parse_move_text
from plywise.games.chess.playing import Playing
from plywise.games.records import Dialect, Record, format_record, read_records

USUAL_CASTLING = signed(0x91 | 0x91 << 56)
"""The home squares of kings and rooks in standard chess."""
VARIANTS = frozenset({
    "", "?", "standard", "chess", "normal", "fromposition", "chess960", "fischerandom", "fischerrandom", "freestyle",
})  # fmt: skip
"""What the header Variant is called if the rules are those of chess, in small letters and without spaces."""


class Pgn(Dialect):
    """The dialect of chess."""

    def __init__(self, game: Playing) -> None:
        self.game = game.without_draws()  # players may play on

    def start(self, headers: Mapping[str, str]) -> Position:
        variant = headers.get("Variant", "").strip()
        if re.sub(r"[\s_-]", "", variant.lower()) not in VARIANTS:
            raise PositionError(f"Variant {variant!r} is another game than chess")
        return parse_fen(self.game, headers.get("FEN", START_FEN))

    def start_headers(self, state: Position) -> dict[str, str]:
        if state == parse_fen(self.game, START_FEN):
            return {}
        usual = not state.rights & BACK_RANKS & ~USUAL_CASTLING and _usual_kings(state)
        return {**({} if usual else {"Variant": "Chess960"}), "SetUp": "1", "FEN": format_fen(state)}

    def parse_move(self, state: Position, text: str) -> int:
        return parse_move_text(self.game, state, text)

    def format_move(self, state: Position, move: int) -> str:
        return format_san(self.game, state, move)

    def play(self, state: Position, move: int) -> Position:
        return self.game.play(state, move)

    def first_ply(self, state: Position) -> int:
        return state.ply


def _usual_kings(state: Position) -> bool:
    """Return whether all kings that may still castle are on the e-file."""
    e_file = 1 << 4 | 1 << 60
    return all(not state.rights & BACK_RANKS & own or state.kings & own & e_file for own in (state.white, state.black))


def read_pgn(game: Playing, text: str) -> Iterator[Record]:
    """Yield the games in a text, one after the other.

    Raises:
        PositionError: the text is not PGN, or a move is illegal; the message says where.
    """
    return read_records(Pgn(game), text)


def format_pgn(game: Playing, record: Record) -> str:
    """Return a game as PGN; the seven headers that every game has come first.

    Raises:
        PositionError: PGN does not allow the result, or the name of a header.

    >>> from plywise.games import Chess
    >>> from plywise.games.records import PlayedMove
    >>> game = Chess()
    >>> state = game.initial()
    >>> played = PlayedMove(game.parse_move(state, "e2e4"), "best by test")
    >>> record = Record(state, [played], "1-0", {"White": "Fischer"})
    >>> print(format_pgn(game, record))  # doctest: +ELLIPSIS
    [Event "?"]
    ...
    [White "Fischer"]
    ...
    [Result "1-0"]
    <BLANKLINE>
    1. e4 {best by test} 1-0
    <BLANKLINE>
    """
    return format_record(Pgn(game), record)
