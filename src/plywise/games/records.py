"""Records of games in the manner of PGN (Edwards' standard for chess, 1994), which other games have taken over: headers
in brackets, then the moves with their numbers, comments, annotations ($1, or ! for it) and the result.

Reading keeps all of these; variations are skipped.  What differs from game to game is a ``Dialect``.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from plywise.errors import PositionError
from plywise.game import Game, Move, State

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The headers that every game has, in order, with their values for "unknown"."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

ANNOTATIONS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
WIDTH = 80

HEADERS = {"Event": "event", "Date": "date", "Round": "round", "TimeControl": "clock", "Termination": "reason"}
"""Headers, and what they are called in ``View.record``."""


@functools.cache
def tokens(results: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of what a record consists of."""
    ends = "|".join(map(re.escape, results))
    return re.compile(
        rf"""
        \s+
        | ^%.*$                                                         # a line for other programs
        | ;(?P<remark>.*)$
        | \{{(?P<comment>[^}}]*)\}}
        | \[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
        | (?P<open>\() | (?P<close>\))
        | \$(?P<annotation>[0-9]{{1,3}})(?![0-9])
        | (?P<mark>[!?]{{1,2}})(?=[\s({{$)]|$)
        | (?P<result>{ends})(?=[\s({{\[]|$)
        | (?P<number>[0-9]+)(\.+|(?=\s)) | \.+
        | (?P<move>[A-Za-z0-9][^\s(){{}}\[\];$!?]*)
        """,
        re.VERBOSE | re.MULTILINE,
    )


@dataclasses.dataclass(frozen=True)
class PlayedMove:
    """A move of a game, with its comment and annotations."""

    move: Move
    comment: str = ""
    annotations: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class Record:
    """The record of a game, or of a part of one."""

    start: State
    played: Sequence[PlayedMove]
    result: str = "*"
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    comment: str = ""
    """The comment before the first move."""

    def positions(self, game: Game) -> list[State]:
        """Return the positions of the game, from the first to the last."""
        states = [self.start]
        for played in self.played:
            states.append(game.play(states[-1], played.move))
        return states


class Dialect:
    """How the records of one game are written."""

    name: ClassVar[str] = "PGN"
    results: ClassVar[Mapping[str, str]] = MappingProxyType({result: result for result in RESULTS})
    """How results may be written, and which of ``RESULTS`` they are."""

    def start(self, headers: Mapping[str, str]) -> State:
        """Return the position before the first move.

        Raises:
            PositionError: the headers have a position that cannot be read.
        """
        raise NotImplementedError

    def start_headers(self, state: State) -> Mapping[str, str]:
        """Return the headers that describe the position before the first move; none for the usual one."""
        raise NotImplementedError

    def parse_move(self, state: State, text: str) -> Move:
        """Return the move with this text, or raise PositionError."""
        raise NotImplementedError

    def format_move(self, state: State, move: Move) -> str:
        """Return the text of a move."""
        raise NotImplementedError

    def play(self, state: State, move: Move) -> State:
        """Return the position after a move."""
        raise NotImplementedError

    def first_ply(self, state: State) -> int:
        """Return the number of plies before a record that starts here; odd if the second player begins."""
        raise NotImplementedError


def known_headers(about: Mapping[str, str], white: str, black: str) -> dict[str, str]:
    """Return the headers for what ``View.record`` is told about a game; ``max`` is White, or Black."""
    names = {**HEADERS, "White": white, "Black": black}
    headers = {name: about[names[name]] for name in (*ROSTER, *HEADERS) if about.get(names.get(name, ""))}
    if "Date" in headers:
        headers["Date"] = headers["Date"].replace("-", ".")
    return headers


# Reading --------------------------------------------------------------------------------------------------------------


def read_records(dialect: Dialect, text: str) -> Iterator[Record]:
    """Yield the games in a text, one after the other.

    Raises:
        PositionError: the text is not a record, or a move is illegal; the message says where.
    """
    reader, pattern = _Reader(dialect), tokens(tuple(dialect.results))
    place, line, depth, number = 0, 1, 0, 1
    while place < len(text):
        token = pattern.match(text, place)
        if token is None:
            raise PositionError(f"{dialect.name}, line {line}: {text[place:].split()[0]!r} cannot be read")
        depth += bool(token["open"]) - bool(token["close"])
        if depth < 0:
            raise PositionError(f"{dialect.name}, line {line}: ')' without '('")
        if depth == 0:
            if token["name"] and reader.has_moves:
                yield reader.finished("*")
                reader, number = _Reader(dialect), number + 1
            try:
                reader.take(token)
            except PositionError as wrong:
                raise PositionError(f"{dialect.name}, game {number}, line {line}: {wrong}") from None
            if token["result"]:
                yield reader.finished(dialect.results[token["result"]])
                reader, number = _Reader(dialect), number + 1
        place, line = token.end(), line + token[0].count("\n")
    if depth:
        raise PositionError(f"{dialect.name}, game {number}: '(' without ')'")
    if reader.begun:
        try:
            reader.begin()
        except PositionError as wrong:
            raise PositionError(f"{dialect.name}, game {number}: {wrong}") from None
        yield reader.finished("*")


class _Reader:
    """Collects one game."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.headers: dict[str, str] = {}
        self.comment = ""
        self.played: list[PlayedMove] = []
        self.start: Any = None
        self.state: Any = None

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
        elif token["move"]:
            self.begin()
            move = self.dialect.parse_move(self.state, token["move"])
            self.state = self.dialect.play(self.state, move)
            self.played.append(PlayedMove(move))
        elif comment is not None:
            self.say(" ".join(comment.split()))
        elif token["annotation"] or token["mark"]:
            self.annotate(int(token["annotation"] or ANNOTATIONS.get(token["mark"], 0)))

    def begin(self) -> None:
        if self.start is None:
            self.start = self.state = self.dialect.start(self.headers)

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
        return Record(self.start, tuple(self.played), result, dict(self.headers), self.comment)


# Writing --------------------------------------------------------------------------------------------------------------


def format_record(dialect: Dialect, record: Record) -> str:
    """Return a game as text; the seven headers that every game has come first.

    Raises:
        PositionError: the format does not allow the result, or the name of a header.
    """
    if record.result not in RESULTS:
        raise PositionError(f"{record.result!r} is not a result of a game; results are: {' '.join(RESULTS)}")
    headers = {**ROSTER, **record.headers, "Result": record.result}
    for name, value in dialect.start_headers(record.start).items():
        headers[name] = headers.get(name, value) if name == "Variant" else value
    lines = [_header_line(dialect, name, value) for name, value in headers.items()]
    words = " ".join([*_movetext(dialect, record), record.result])
    return "\n".join([*lines, "", *textwrap.wrap(words, WIDTH, break_long_words=False, break_on_hyphens=False), ""])


def _header_line(dialect: Dialect, name: str, value: str) -> str:
    """Return the line of a header.  Quotes and backslashes can be escaped in its value, but not in its name."""
    if not re.fullmatch(r"\w+", name, re.ASCII):
        raise PositionError(
            f"{name!r} cannot be the name of a {dialect.name} header: only letters, digits and _ are allowed"
        )
    text = "".join(letter if letter.isprintable() else " " for letter in value)
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{text}"]'


def _movetext(dialect: Dialect, record: Record) -> Iterator[str]:
    state, numbered = record.start, False
    if record.comment:
        yield _format_comment(record.comment)
    for ply, played in enumerate(record.played, dialect.first_ply(state)):
        if ply & 1 == 0 or not numbered:
            yield f"{ply // 2 + 1}.{'..' if ply & 1 else ''}"
        yield dialect.format_move(state, played.move)
        for annotation in played.annotations:
            yield f"${annotation}"
        if played.comment:
            yield _format_comment(played.comment)
        numbered = not played.comment
        state = dialect.play(state, played.move)


def _format_comment(text: str) -> str:
    return "{" + text.replace("}", ")") + "}"
