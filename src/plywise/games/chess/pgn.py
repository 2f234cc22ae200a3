"""PGN: records of games, as defined in Edwards' standard (1994).

Reading keeps headers, moves, comments, annotations ($1, or ! for it) and the result; variations are skipped.  A game
may start from any position (``FEN``) and may be Chess960 (``Variant``).
"""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from plywise.bits import signed
from plywise.errors import PositionError
from plywise.games.chess.board import BACK_RANKS, Position
from plywise.games.chess.fen import START_FEN, format_fen, parse_fen
from plywise.games.chess.notation import format_san, parse_san
from plywise.games.chess.playing import Playing

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The headers that every game has, in order, with their values for "unknown"."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

ANNOTATIONS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
WIDTH = 80
USUAL_CASTLING = signed(0x91 | 0x91 << 56)
"""The home squares of kings and rooks in standard chess."""

TOKEN = re.compile(
    r"""
    \s+
    | ^%.*$                                                             # a line for other programs
    | ;(?P<remark>.*)$
    | \{(?P<comment>[^}]*)\}
    | \[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
    | (?P<open>\() | (?P<close>\))
    | \$(?P<annotation>[0-9]{1,3})(?![0-9])
    | (?P<mark>[!?]{1,2})(?=[\s({$)]|$)
    | (?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s({\[]|$)
    | (?P<number>[0-9]+)(\.+|(?=\s)) | \.+
    | (?P<san>[A-Za-z0-9][^\s(){}\[\];$!?]*)
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclasses.dataclass(frozen=True)
class PgnMove:
    """A move of a game, with its comment and annotations."""

    move: int
    comment: str = ""
    annotations: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class Record:
    """The record of a game, or of a part of one."""

    start: Position
    played: Sequence[PgnMove]
    result: str = "*"
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    comment: str = ""
    """The comment before the first move."""

    def positions(self, game: Playing) -> list[Position]:
        """Return the positions of the game, from the first to the last."""
        states = [self.start]
        for played in self.played:
            states.append(game.play(states[-1], played.move))
        return states


# Reading --------------------------------------------------------------------------------------------------------------


def read_pgn(game: Playing, text: str) -> Iterator[Record]:
    """Yield the games in a text, one after the other.

    Raises:
        PositionError: the text is not PGN, or a move is illegal; the message says where.
    """
    game = game.without_draws()  # players may play on
    reader = _Reader(game)
    place, line, depth, number = 0, 1, 0, 1
    while place < len(text):
        token = TOKEN.match(text, place)
        if token is None:
            raise PositionError(f"PGN, line {line}: {text[place:].split()[0]!r} cannot be read")
        depth += bool(token["open"]) - bool(token["close"])
        if depth < 0:
            raise PositionError(f"PGN, line {line}: ')' without '('")
        if depth == 0:
            if token["name"] and reader.has_moves:
                yield reader.finished("*")
                reader, number = _Reader(game), number + 1
            try:
                reader.take(token)
            except PositionError as wrong:
                raise PositionError(f"PGN, game {number}, line {line}: {wrong}") from None
            if token["result"]:
                yield reader.finished(token["result"])
                reader, number = _Reader(game), number + 1
        place, line = token.end(), line + token[0].count("\n")
    if depth:
        raise PositionError(f"PGN, game {number}: '(' without ')'")
    if reader.begun:
        try:
            reader.begin()
        except PositionError as wrong:
            raise PositionError(f"PGN, game {number}: {wrong}") from None
        yield reader.finished("*")


class _Reader:
    """Collects one game."""

    def __init__(self, game: Playing) -> None:
        self.game = game
        self.headers: dict[str, str] = {}
        self.comment = ""
        self.played: list[PgnMove] = []
        self.start: Position | None = None
        self.state: Position | None = None

    @property
    def has_moves(self) -> bool:
        return bool(self.played)

    @property
    def begun(self) -> bool:
        return bool(self.headers or self.played or self.comment)

    def take(self, token: re.Match[str]) -> None:
        """Add a header, a move, a comment or an annotation; a result only ends the headers."""
        comment = token["comment"] if token["remark"] is None else token["remark"]
        if token["name"]:
            self.headers[token["name"]] = re.sub(r"\\(.)", r"\1", token["value"])
        elif token["result"]:
            self.begin()
        elif token["san"]:
            self.begin()
            assert self.state is not None
            move = parse_san(self.game, self.state, token["san"])
            self.state = self.game.play(self.state, move)
            self.played.append(PgnMove(move))
        elif comment is not None:
            self.say(" ".join(comment.split()))
        elif token["annotation"] or token["mark"]:
            self.annotate(int(token["annotation"] or ANNOTATIONS.get(token["mark"], 0)))

    def begin(self) -> None:
        if self.start is None:
            self.start = self.state = parse_fen(self.game, self.headers.get("FEN", START_FEN))

    def say(self, text: str) -> None:
        if not self.played:
            self.comment = f"{self.comment} {text}".strip()
        else:
            last = self.played[-1]
            self.played[-1] = dataclasses.replace(last, comment=f"{last.comment} {text}".strip())

    def annotate(self, annotation: int) -> None:
        if self.played and annotation:
            last = self.played[-1]
            self.played[-1] = dataclasses.replace(last, annotations=(*last.annotations, annotation))

    def finished(self, result: str) -> Record:
        """Return the game so far, with this result."""
        self.begin()
        assert self.start is not None
        return Record(self.start, tuple(self.played), result, dict(self.headers), self.comment)


# Writing --------------------------------------------------------------------------------------------------------------


def format_pgn(game: Playing, record: Record) -> str:
    """Return a game as PGN; the seven headers that every game has come first.

    Raises:
        PositionError: PGN does not allow the result, or the name of a header.

    >>> from plywise.games import Chess
    >>> game = Chess()
    >>> state = game.initial()
    >>> record = Record(state, [PgnMove(game.parse_move(state, "e2e4"), "best by test")], "1-0", {"White": "Fischer"})
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
    game = game.without_draws()
    if record.result not in RESULTS:
        raise PositionError(f"{record.result!r} is not a result of a game; results are: {' '.join(RESULTS)}")
    headers = {**ROSTER, **record.headers, "Result": record.result}
    if record.start != parse_fen(game, START_FEN):
        usual = not record.start.rights & BACK_RANKS & ~USUAL_CASTLING and _usual_kings(record.start)
        if not usual:
            headers.setdefault("Variant", "Chess960")
        headers.update(SetUp="1", FEN=format_fen(record.start))
    lines = [_header_line(name, value) for name, value in headers.items()]
    words = " ".join([*_movetext(game, record), record.result])
    return "\n".join([*lines, "", *textwrap.wrap(words, WIDTH, break_long_words=False, break_on_hyphens=False), ""])


def _usual_kings(state: Position) -> bool:
    """Return whether all kings that may still castle are on the e-file."""
    e_file = 1 << 4 | 1 << 60
    return all(not state.rights & BACK_RANKS & own or state.kings & own & e_file for own in (state.white, state.black))


def _header_line(name: str, value: str) -> str:
    """Return the line of a header.  Quotes and backslashes can be escaped in its value, but not in its name."""
    if not re.fullmatch(r"\w+", name, re.ASCII):
        raise PositionError(f"{name!r} cannot be the name of a PGN header: only letters, digits and _ are allowed")
    text = "".join(letter if letter.isprintable() else " " for letter in value)
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{text}"]'


def _movetext(game: Playing, record: Record) -> Iterator[str]:
    state, numbered = record.start, False
    if record.comment:
        yield _format_comment(record.comment)
    for played in record.played:
        if state.ply & 1 == 0 or not numbered:
            yield f"{state.ply // 2 + 1}.{'..' if state.ply & 1 else ''}"
        yield format_san(game, state, played.move)
        for annotation in played.annotations:
            yield f"${annotation}"
        if played.comment:
            yield _format_comment(played.comment)
        numbered = not played.comment
        state = game.play(state, played.move)


def _format_comment(text: str) -> str:
    return "{" + text.replace("}", ")") + "}"
