"""PDN, portable draughts notation: records of games, in the manner of PGN.

As in chess the first number of a result is White's, although Black moves first: 1-0 means that White won.  Reading also
accepts the points that draughts players write, 2-0, 1-1 and 0-2.  A record may start from any position (``FEN``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from plywise.errors import PositionError
from plywise.games.checkers.board import Position
from plywise.games.records import Dialect, Record, format_record, read_records

if TYPE_CHECKING:
    from plywise.games.checkers.checkers import Checkers

ENGLISH = "21"
"""The number of English draughts among the kinds of draughts (``GameType``)."""


class Pdn(Dialect):
    """The dialect of checkers.  Players may play on where a rule would call the game drawn."""

    name = "PDN"
    players = ("Black", "White")
    results = MappingProxyType({**Dialect.results, "2-0": "1-0", "1-1": "1/2-1/2", "0-2": "0-1"})

    def __init__(self, game: Checkers) -> None:
        self.game = game

    def start(self, headers: Mapping[str, str]) -> Position:
        kind = headers.get("GameType", ENGLISH).split(",")[0].strip()
        if kind != ENGLISH:
            raise PositionError(f"GameType {kind!r} is another kind of draughts; English draughts is {ENGLISH}")
        return self.game.parse(headers["FEN"]) if "FEN" in headers else self.game.initial()

    def start_headers(self, state: Position) -> dict[str, str]:
        usual = state == self.game.initial()
        return {"GameType": ENGLISH, **({} if usual else {"SetUp": "1", "FEN": self.game.format(state)})}

    def parse_move(self, state: Position, text: str) -> int:
        return self.game.parse_move(state._replace(clock=0), text)

    def format_move(self, state: Position, move: int) -> str:
        return self.game.format_move(state, move)

    def play(self, state: Position, move: int) -> Position:
        return self.game.play(state, move)

    def first_ply(self, state: Position) -> int:
        return state.turn


def read_pdn(game: Checkers, text: str) -> Iterator[Record]:
    """Yield the games in a text, one after the other.

    Raises:
        PositionError: the text is not PDN, or a move is illegal; the message says where.

    >>> from plywise.games import Checkers
    >>> game = Checkers()
    >>> (record,) = read_pdn(game, "1. 11-15 22-18 2. 15x22 {forced} 25x18 1/2-1/2")
    >>> record.result, [game.format_move(record.start, played.move) for played in record.played]
    ('1/2-1/2', ['11-15', '22-18', '15x22', '25x18'])
    """
    return read_records(Pdn(game), text)


def format_pdn(game: Checkers, record: Record) -> str:
    """Return a game as PDN.

    Raises:
        PositionError: PDN does not allow the result, or the name of a header.
    """
    return format_record(Pdn(game), record)
