"""Records of games in the manner of PGN (Edwards' standard for chess, 1994), which other games have taken over: headers
in brackets, then the moves with their numbers, comments, annotations ($1, or ! for it), variations and the result.

Reading keeps all of these, and takes files as they are found: with other spellings of results, null moves, signs such
as ± and damaged games.  What differs from game to game is a ``Dialect``.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from plywise.errors import PositionError
from plywise.game import Game, Move, State

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The headers that every game has, in order, with their values for "unknown"."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
SPELLINGS = {
    **{result: result for result in RESULTS}, "1–0": "1-0", "0–1": "0-1", "1/2": "1/2-1/2", "½-½": "1/2-1/2",
    "½–½": "1/2-1/2", "½": "1/2-1/2", "1/2–1/2": "1/2-1/2", "0.5-0.5": "1/2-1/2",
}  # fmt: skip
"""How results are spelt in files, and which of ``RESULTS`` they are."""

ANNOTATIONS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
SIGNS = {
    "□": 7, "=": 10, "∞": 13, "~": 13, "⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15, "±": 16, "+/-": 16,
    "∓": 17, "-/+": 17, "+-": 18, "-+": 19, "+−": 18, "−+": 19, "=/∞": 44, "~=": 44,
}  # fmt: skip
"""Signs that judge a position, and the annotations that they stand for."""
LETTERS = {"N": 146, "D": 220}
"""Letters that do so where no move is a letter: a novelty, a diagram."""
NULL_MOVES = frozenset({"--", "Z0", "z0", "@@@@", "0000", "null", "pass"})
"""How files write that a player passes the turn to show a threat."""

WIDTH = 80
DEEPEST = 20
"""How many variations may be nested; deeper ones are left out."""
MOST_NOTES = 20
"""The most notes about one game."""

START_HEADERS = ("SetUp", "FEN")
"""The headers of the start position, which ``Dialect.start_headers`` knows."""

HEADERS = {"Event": "event", "Date": "date", "Round": "round", "TimeControl": "clock", "Termination": "reason"}
"""Headers, and what they are called in ``View.record``."""

NAME = r"[\w.:-]+"
"""The name of a header."""
HEADER = rf'[ \t]*\[[ \t]*{NAME}[ \t]*"'
"""How a line with a header begins."""


@functools.cache
def tokens(results: tuple[str, ...], loose: bool) -> re.Pattern[str]:
    """Return the pattern of what a record consists of; if ``loose``, numbers and results may be moves."""
    ends = "|".join(map(re.escape, sorted(results, key=len, reverse=True)))
    signs = "|".join(map(re.escape, sorted({**SIGNS, **({} if loose else LETTERS)}, key=len, reverse=True)))
    if loose:
        number, end, word = r"[0-9]+\.(?=\s|[^\W\d])|[0-9]+\.\.+", r"\s*\Z", r"[^\s(){}\[\];]+(?:\([^\s()]*\))?"
        said = r"(?!)"
    else:
        number, end = r"(?!0000\s)[0-9]+(?:[.…]+|(?=\s))", r"[\s(){\[]|$"  # 0000 is a null move
        word = r"[\w♔-♟@-][^\s(){}\[\];$!?]*(?:(?<=[18])\([NBRQnbrq]\)[^\s(){}\[\];$!?]*)?"  # a8(Q) promotes
        said = r"e\.\s?p\.?|(?:ep|ch|dbl|mate|\+{1,2}|\#)(?=[\s({$)]|$)"
    return re.compile(
        rf"""
        [ \t]*\[\s*(?P<name>{NAME})\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
        | ^[ \t]*\[[ \t]*(?P<loose_name>{NAME})(?P<loose_value>[ \t]*".*|[ \t].*".*)$  # one that is not written well
        | (?P<space>\s*\n|\s+)
        | ^%.*$                                                         # a line for other programs
        | ;(?P<remark>.*)$
        | \{{(?P<comment>[^}}\n]*(?:\n(?!{HEADER})[^}}\n]*)*)(?P<closed>\}}?)  # a header belongs to the next game
        | (?P<open>\() | (?P<close>\))
        | \$(?P<annotation>[0-9]{{1,9}})(?![0-9])
        | (?P<mark>[!?]{{1,2}})(?=[\s({{$)]|$)
        | (?P<sign>{signs})(?=[\s({{$)]|$)
        | {said}                                                        # en passant, check
        | (?P<result>{ends})(?={end})
        | (?P<number>{number}) | [.…]+
        | (?P<move>{word})
        | (?P<rest>[^\s(){{}}\[\];]+|.)
        """,
        re.VERBOSE | re.MULTILINE,
    )


@dataclasses.dataclass(frozen=True)
class PlayedMove:
    """A move of a game, with its comment, its annotations, and what might have been played instead of it."""

    move: Move
    comment: str = ""
    annotations: tuple[int, ...] = ()
    variations: tuple[tuple[PlayedMove, ...], ...] = ()
    """Lines that replace this move and those after it."""


@dataclasses.dataclass(frozen=True)
class Record:
    """The record of a game, or of a part of one."""

    start: State
    """The position before the first move; None if it cannot be read, which is then the ``problem``."""
    played: Sequence[PlayedMove]
    result: str = "*"
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    comment: str = ""
    """The comment before the first move."""
    problem: str = dataclasses.field(default="", compare=False)
    """What is wrong with the rest of the record, and where; empty if nothing is."""
    notes: tuple[str, ...] = dataclasses.field(default=(), compare=False)
    """What was left out or is damaged without ending the record, such as variations, and why."""
    game: Game | None = dataclasses.field(default=None, compare=False)
    """The game with the parameters of the record, such as the size of the board; None if it is that of the reader."""

    @property
    def moves(self) -> list[Move]:
        """The moves of the main line."""
        return [played.move for played in self.played]

    @property
    def annotated(self) -> bool:
        """Whether it says more than the moves and who played them: comments, annotations or variations."""
        return bool(self.comment) or any(each != PlayedMove(each.move) for each in self.played)

    def positions(self, game: Game) -> list[State]:
        """Return the positions of the game, from the first to the last."""
        states = [self.start]
        for played in self.played:
            states.append(game.play(states[-1], played.move))
        return states


class Dialect:
    """How the records of one game are written."""

    name: ClassVar[str] = "PGN"
    results: ClassVar[Mapping[str, str]] = MappingProxyType(SPELLINGS)
    """How results may be written, and which of ``RESULTS`` they are."""
    loose: ClassVar[bool] = False
    """Whether a number or a result may be a move: a number is then one only without a point after it, and a result is
    the end of the text.
    """
    players: ClassVar[tuple[str, str]] = ("White", "Black")
    """The player of the even plies and that of the odd ones."""

    def numbered(self, ply: int) -> str:
        """Return how a message calls the move at a ply."""
        return f"{self.players[ply & 1]}'s move {ply // 2 + 1}"

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

    def parse_moves(self, state: State, text: str) -> list[Move]:
        """Return the moves that a word stands for, usually one, or raise PositionError."""
        return [self.parse_move(state, text)]

    def format_move(self, state: State, move: Move) -> str:
        """Return the text of a move."""
        raise NotImplementedError

    def play(self, state: State, move: Move) -> State:
        """Return the position after a move."""
        raise NotImplementedError

    def first_ply(self, state: State) -> int:
        """Return the number of plies before a record that starts here; odd if the second player begins."""
        raise NotImplementedError


def plain_record(start: State, moves: Sequence[Move]) -> Record:
    """Return a record with these moves and nothing else."""
    return Record(start, [PlayedMove(move) for move in moves])


def only_moves(game: Any, record: Record, about: Mapping[str, str]) -> str | None:
    """Return what ``game.record`` returns, where that is a list of moves; None if there is more to save."""
    more = record.annotated or record.headers or about.get("reason")
    return None if more else game.record(record.start, record.moves, about)


def described(record: Record, about: Mapping[str, str], white: str, black: str) -> Record:
    """Return a record with headers and a result from what ``View.record`` is told, unless it has its own.

    Args:
        record: the record.
        about: as for ``View.record``.
        white: ``max`` if White moves first, else ``min``; a result begins with White's points.
        black: the other one.
    """
    names = {**HEADERS, "White": white, "Black": black}
    headers = {name: about[names[name]] for name in (*ROSTER, *HEADERS) if about.get(names.get(name, ""))}
    if "Date" in headers:
        headers["Date"] = headers["Date"].replace("-", ".")
    points = about.get("result", "*").split("-")
    told = "-".join(points if white == "max" else reversed(points))
    headers |= {name: value for name, value in record.headers.items() if name not in START_HEADERS}
    return dataclasses.replace(record, headers=headers, result=told if record.result == "*" else record.result)


# Reading --------------------------------------------------------------------------------------------------------------


def read_records(dialect: Dialect, text: str) -> Iterator[Record]:
    """Yield the games in a text, one after the other.

    Raises:
        PositionError: the text is not a record, or a move of a game is illegal; the message says where.
    """
    for number, record in enumerate(read_damaged(dialect, text), 1):
        if record.problem:
            raise PositionError(f"{dialect.name}, game {number}, {record.problem}")
        yield record


def read_damaged(dialect: Dialect, text: str) -> Iterator[Record]:
    """Yield the games in a text, one after the other; one that is wrong has its moves up to there and its ``problem``.

    What is wrong in a variation ends the variation, and is one of the ``notes``; so are a damaged header and
    a sign that is not known.
    """
    reader, line = _Reader(dialect), 1
    for token, line in _tokens_of(dialect, text):
        if reader.ends_before(token["name"] or token["loose_name"]):
            yield reader.finished(line)
            reader = _Reader(dialect)
        reader.take(token, line)
        if token["result"] and not reader.in_variation:  # there it only tells how the line would have ended
            yield reader.finished(line, dialect.results[token["result"]])
            reader = _Reader(dialect)
    if reader.begun:
        yield reader.finished(line)


def words_of_moves(text: str) -> Iterator[str]:
    """Yield the words in a text that are written like moves, of whatever game.

    >>> list(words_of_moves('[White "Ann"] 1. e4 {e5} 11-15! 1-0'))
    ['e4', '11-15']
    """
    return (token["move"] for token, _ in _tokens_of(Dialect(), text) if token["move"])


def _tokens_of(dialect: Dialect, text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield what a text consists of, and the line of each.

    Of a comment that does not end only the brace is left out: the result of the game may follow.
    """
    text = re.sub(r"\r\n?", "\n", text.replace("\ufeff", ""))  # files that were put together have one each
    pattern = tokens(tuple(dialect.results), dialect.loose)
    place, line, unclosed = 0, 1, 0
    while token := pattern.match(text, place):
        end = token.end()
        if token["closed"] == "":
            unclosed, end = end, place + 1
        yield token, line
        line += text.count("\n", place, end)
        while end < unclosed and text[end] == "{":  # it does not end either; to find that out again takes long
            end += 1
        place = end


class _Line:
    """A line of moves under construction: the main line, or a variation."""

    def __init__(self, state: State, ply: int, lost: bool = False) -> None:
        self.before: Any = None
        """The position before the last move."""
        self.state: Any = state
        self.ply = ply
        self.played: list[PlayedMove] = []
        self.lost = lost
        """Whether something was wrong, so that the rest of the line is skipped."""
        self.comment = ""
        """The comment before the first move."""

    def change_last(self, **changes: Any) -> None:
        self.played[-1] = dataclasses.replace(self.played[-1], **changes)


class _Reader:
    """Collects one game."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.headers: dict[str, str] = {}
        self.apart = False
        """Whether there was a blank line after a header."""
        self.start: Any = None
        self.lines = [_Line(None, 0)]
        """The main line, then the variation that is being read, and those that it is part of."""
        self.started = False
        self.problem = ""
        self.notes: list[str] = []

    @property
    def line(self) -> _Line:
        """The line that is being read."""
        return self.lines[-1]

    @property
    def in_moves(self) -> bool:
        """Whether the headers have ended."""
        return bool(self.started or self.problem)

    @property
    def in_variation(self) -> bool:
        return len(self.lines) > 1

    @property
    def begun(self) -> bool:
        return bool(self.headers or self.in_moves or self.lines[0].comment)

    def ends_before(self, name: str | None) -> bool:
        """Return whether a header with this name is of the next game.

        It is if the moves have begun.  A game without moves ends where at least two of these hold: there is a blank
        line, Event comes, or a header comes again.  Blank lines alone, or a header that is there twice, end no game.
        """
        clues = (name == "Event") + (name in self.headers) + self.apart
        return name is not None and (self.in_moves or clues > 1)

    def take(self, token: re.Match[str], line: int) -> None:
        """Add a header, a move, a comment, an annotation, or the beginning or the end of a variation."""
        comment = token["comment"] if token["remark"] is None else token["remark"]
        if token["space"]:
            self.apart |= bool(self.headers) and token["space"].count("\n") > 1
        elif token["name"]:
            self.headers[token["name"]] = re.sub(r"\\(.)", r"\1", token["value"])
        elif token["loose_name"]:
            self.loose_header(token["loose_name"], token["loose_value"], line)
        elif token["move"]:
            self.begin(line)
            self.move(token["move"], line)
        elif token["open"]:
            self.open(line)
        elif token["close"]:
            self.close(line)
        elif token["closed"] == "":
            self.lost("the comment does not end, } is missing", line)
        elif token["rest"]:
            self.unknown(token, line)
        elif comment is not None:
            self.say(" ".join(comment.split()))
        elif token["annotation"] or token["mark"] or token["sign"]:
            known = {**ANNOTATIONS, **SIGNS, **LETTERS}
            self.annotate(int(token["annotation"] or known.get(token["mark"] or token["sign"], 0)))

    def loose_header(self, name: str, text: str, line: int) -> None:
        """Add a header with quotes in its value that are not escaped, or with a bracket or a quote missing."""
        text = text.strip()
        quoted = text.removesuffix("]").rstrip()
        value = self.headers[name] = quoted.removeprefix('"').removesuffix('"')
        if f'"{value}"' != quoted or not text.endswith("]"):
            self.notes.append(f"line {line}: the header {name} is damaged; it is read as {value[:80]!r}")

    def begin(self, line: int) -> None:
        """Find the position before the first move."""
        if self.started:
            return
        self.started = True
        try:
            self.start = self.dialect.start(self.headers)
        except PositionError as wrong:
            self.wrong(f"line {line}: {wrong}")
        else:
            self.lines[0].state, self.lines[0].ply = self.start, self.dialect.first_ply(self.start)

    def move(self, text: str, line: int) -> None:
        here = self.line
        if here.lost:
            return
        try:
            moves = self.dialect.parse_moves(here.state, text)
        except PositionError as wrong:
            why = f"{text!r} is a null move, which is not legal here" if text in NULL_MOVES else str(wrong)
            self.wrong(f"line {line}, {self.dialect.numbered(here.ply)}: {why}")
            return
        for move in moves:
            here.played.append(PlayedMove(move, "" if here.played else here.comment * (here is not self.lines[0])))
            here.before, here.state, here.ply = here.state, self.dialect.play(here.state, move), here.ply + 1

    def open(self, line: int) -> None:
        """Begin a variation of the last move."""
        self.begin(line)
        here = self.line
        if not here.lost and not here.played:
            self.notes.append(f"line {line}: a variation needs a move before it")
        deep = len(self.lines) > DEEPEST
        if deep:
            self.notes.append(f"line {line}: variations are nested more than {DEEPEST} deep")
        self.lines.append(_Line(here.before, here.ply - 1, lost=here.lost or not here.played or deep))

    def close(self, line: int) -> None:
        """End a variation."""
        if not self.in_variation:
            self.problem = self.problem or f"line {line}: ')' without '('"
            return
        variation = self.lines.pop()
        if variation.played:
            self.line.change_last(variations=(*self.line.played[-1].variations, tuple(variation.played)))

    def say(self, text: str) -> None:
        here = self.line
        if here.lost or not text:
            return
        if here.played:
            here.change_last(comment=f"{here.played[-1].comment} {text}".strip())
        else:
            here.comment = f"{here.comment} {text}".strip()

    def annotate(self, annotation: int) -> None:
        if self.line.played and annotation and not self.line.lost:
            self.line.change_last(annotations=(*self.line.played[-1].annotations, annotation))

    def unknown(self, token: re.Match[str], line: int) -> None:
        """Skip what cannot be read: a sign alone, or else the rest of this line of moves too."""
        if self.line.lost:
            return
        why = f"{token.string[token.start() : token.start() + 200].split()[0]!r} cannot be read"
        if re.search(r'[\w\[\]{}"]', token["rest"]):
            self.lost(why, line)
        else:
            self.notes.append(f"line {line}: {why}")

    def lost(self, why: str, line: int) -> None:
        """Skip the rest of this line of moves."""
        if not self.line.lost:
            self.begin(line)
            self.wrong(f"line {line}: {why}")

    def wrong(self, message: str) -> None:
        """Skip the rest of this line, and say why."""
        self.line.lost = True
        if self.in_variation:
            self.notes.append(f"a variation ends early: {message}")
        else:
            self.problem = self.problem or message

    def finished(self, line: int, result: str = "") -> Record:
        """Return the game so far, with this result; without one, with that of the headers."""
        self.begin(line)
        if self.in_variation:
            self.problem = self.problem or f"line {line}: '(' without ')'"
            while self.in_variation:
                self.close(line)
        told = result or self.dialect.results.get(self.headers.get("Result", "*"), "*")
        return Record(
            self.start, tuple(self.lines[0].played), told, dict(self.headers), self.lines[0].comment, self.problem,
            tuple(self.notes[:MOST_NOTES]),
        )  # fmt: skip


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
    return "\n".join([*lines, "", *_wrapped(" ".join([*_movetext(dialect, record), record.result])), ""])


def _wrapped(text: str) -> list[str]:
    """Return the lines of a text.  In a comment, none may begin like a header, nor with %, which hides it."""
    lines: list[str] = []
    for words in re.split(r" (?![\[%])", " ".join(text.split())):
        if lines and len(lines[-1]) + 1 + len(words) <= WIDTH:
            lines[-1] += f" {words}"
        else:
            lines.append(words)
    return lines


def _header_line(dialect: Dialect, name: str, value: str) -> str:
    """Return the line of a header.  Quotes and backslashes can be escaped in its value, but not in its name."""
    if not re.fullmatch(NAME, name):
        raise PositionError(
            f"{name!r} cannot be the name of a {dialect.name} header: only letters, digits and _ - . : are allowed"
        )
    text = "".join(letter if letter.isprintable() else " " for letter in value)
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{text}"]'


def _movetext(dialect: Dialect, record: Record) -> Iterator[str]:
    if record.comment:
        yield _format_comment(record.comment)
    yield from _line_text(dialect, record.start, record.played, dialect.first_ply(record.start))


def _line_text(dialect: Dialect, state: State, line: Sequence[PlayedMove], first: int) -> Iterator[str]:
    """Yield the words of a line; after a comment or a variation the number of the move comes again."""
    numbered = False
    for ply, played in enumerate(line, first):
        if ply & 1 == 0 or not numbered:
            yield f"{ply // 2 + 1}.{'..' if ply & 1 else ''}"
        yield dialect.format_move(state, played.move)
        for annotation in played.annotations:
            yield f"${annotation}"
        if played.comment:
            yield _format_comment(played.comment)
        for variation in played.variations:
            words = list(_line_text(dialect, state, variation, ply))
            words[0], words[-1] = f"({words[0]}", f"{words[-1]})"  # two words at least: a number and a move
            yield from words
        numbered = not played.comment and not played.variations
        state = dialect.play(state, played.move)


def _format_comment(text: str) -> str:
    return "{" + text.replace("}", ")") + "}"
