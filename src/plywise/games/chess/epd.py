"""EPD: a position without counters, followed by operations, as defined in Edwards' PGN standard (1994).

An operation is a name and its operands, ended by a semicolon: ``bm Qg6; id "WAC.001";``.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping

from plywise.errors import PositionError
from plywise.games.chess.board import Position
from plywise.games.chess.fen import format_fen, parse_fen
from plywise.games.chess.notation import parse_move_text
from plywise.games.chess.playing import Playing

OPERAND = re.compile(r'\s*(?:"(?P<quoted>[^"]*)"|(?P<plain>[^\s;"]+))')
OPERATION_END = re.compile(r"\s*(?:;|\Z)")
OPERATION = re.compile(r"[\s;]*(?P<name>[A-Za-z]\w*)")
CLOCK, NUMBER = "hmvc", "fmvn"
"""The operations that hold the counters of FEN."""

TEXTS = ("id", *(f"c{number}" for number in range(10)))
"""Operations whose operands are quoted."""


@dataclasses.dataclass(frozen=True)
class Epd:
    """A position and its operations."""

    state: Position
    operations: Mapping[str, tuple[str, ...]]
    """The operands of each operation, without quotes."""

    def moves(self, game: Playing, operation: str) -> tuple[int, ...]:
        """Return the operands of an operation such as ``bm`` as moves of this position; empty if it is missing.

        Raises:
            PositionError: one of them is not a legal move here.
        """
        texts = [text for text in self.operations.get(operation, ()) if text.strip("+#!?")]  # "Qd1 +" is one move
        return tuple(parse_move_text(game.without_draws(), self.state, text) for text in texts)


def parse_epd(game: Playing, line: str) -> Epd:
    """Read a line of EPD; the counters of FEN may follow the position.

    Raises:
        PositionError: the position or an operation is malformed; the message says how.

    >>> from plywise.games import Chess
    >>> epd = parse_epd(Chess(), '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";')
    >>> epd.operations["id"], Chess().format_move(epd.state, *epd.moves(Chess(), "bm"))
    (('back rank',), 'd1d8')
    """
    words = line.split(maxsplit=4)
    if len(words) < 4:
        raise _wrong(line, f"it must start with the first 4 fields of a FEN, but has {len(words)}")
    fields, rest = " ".join(words[:4]), words[4] if len(words) > 4 else ""
    counters = re.match(r"([0-9]+)\s+([0-9]+)(?=\s|;|$)", rest)
    operations = _parse_operations(line, rest[counters.end() :] if counters else rest)
    clock, number = counters.groups() if counters else ("0", "1")
    for name in (CLOCK, NUMBER):
        if len(operations.get(name, ("",))) != 1:
            raise _wrong(line, f"{name} must have one operand, a number")
    clock, number = operations.get(CLOCK, (clock,))[0], operations.get(NUMBER, (number,))[0]
    return Epd(parse_fen(game, f"{fields} {clock} {number}"), operations)


def _parse_operations(line: str, text: str) -> dict[str, tuple[str, ...]]:
    operations: dict[str, tuple[str, ...]] = {}
    place, end = 0, len(text.rstrip(" \t\r\n;"))
    while place < end:
        name = OPERATION.match(text, place)
        if name is None:
            raise _wrong(line, f"{text[place:].strip()!r} is not an operation, such as bm e4;")
        place, operands = name.end(), []
        while operand := OPERAND.match(text, place):
            place = operand.end()
            operands.append(operand["plain"] if operand["quoted"] is None else operand["quoted"])
        if not OPERATION_END.match(text, place):
            raise _wrong(line, f"a quotation mark in {name['name']} is not closed")
        operations[name["name"]] = tuple(operands)
    return operations


def _wrong(line: str, why: str) -> PositionError:
    return PositionError(f"{line.strip()!r} is not EPD: {why}")


def format_epd(epd: Epd) -> str:
    """Return a line of EPD.  It includes the counters only if they are operations."""
    return " ".join([*format_fen(epd.state).split()[:4], *filter(None, [format_operations(epd)])])


def format_operations(epd: Epd) -> str:
    """Return the operations of a line of EPD, without its position."""
    return " ".join(_format_operation(name, operands) for name, operands in epd.operations.items())


def _format_operation(name: str, operands: tuple[str, ...]) -> str:
    quoted = [f'"{text}"' if name in TEXTS or not text or re.search(r"[\s;]", text) else text for text in operands]
    return " ".join([name, *quoted]) + ";"
