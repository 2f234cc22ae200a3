"""Parses lines from a GUI and formats lines for it.

Parsing never fails.  Words that make no sense are skipped and reported in ``complaints``; the rest of the line counts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from plywise.errors import one_line
from plywise.io.numbers import whole_number

FLAGS = ("infinite", "ponder")
LIMITS = ("wtime", "btime", "depth", "nodes", "movetime", "mate", "perft")
"""Limits that end a search without ``stop``."""

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate", "perft")
TIMES = ("wtime", "btime", "winc", "binc", "movetime")
MOST_TIME = 10**9
"""A cap of eleven days, in milliseconds: huge timeouts overflow."""

LONGEST_REMARK = 300
"""The most characters of an ``info string``, because it may quote a line of any length."""


@dataclasses.dataclass(frozen=True)
class Go:
    """The arguments of ``go``.  Times are in milliseconds."""

    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    mate: int | None = None
    perft: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: tuple[str, ...] = ()
    complaints: tuple[str, ...] = ()

    def clock(self, black: bool) -> tuple[float, float] | None:
        """Return the mover's remaining seconds and increment, or None if there is no clock."""
        time, increment = (self.btime, self.binc) if black else (self.wtime, self.winc)
        return None if time is None else (time / 1000, (increment or 0) / 1000)


def parse_go(words: Sequence[str]) -> Go:
    """Parse the words after ``go``.

    >>> parse_go("wtime 1000 btime x winc 10 searchmoves e2e4 d2d4 depth 5".split())
    ... # doctest: +NORMALIZE_WHITESPACE, +ELLIPSIS
    Go(wtime=1000, btime=None, winc=10, ... depth=5, ... searchmoves=('e2e4', 'd2d4'),
       complaints=("btime needs a number, not 'x'",))
    >>> parse_go(["perft"]).depth, parse_go(["foo"]).depth
    (1, None)
    """
    found: dict[str, Any] = {}
    complaints: list[str] = []
    moves: list[str] = []
    missed = False  # a limit was given, but not as a number
    left = list(reversed(words))
    while left:
        word = left.pop()
        if word in FLAGS:
            found[word] = True
        elif word == "searchmoves":
            while left and left[-1] not in (*FLAGS, *NUMBERS):
                moves.append(left.pop())
        elif word not in NUMBERS:
            complaints.append(f"go has no argument {word!r}")
        else:
            given = left.pop() if left and left[-1] not in (*FLAGS, *NUMBERS, "searchmoves") else ""
            number = _number(given)
            if number is None:
                complaints.append(f"{word} needs a number" + (f", not {given!r}" if given else ""))
                missed = missed or word in LIMITS
            else:
                found[word] = number
    if missed and not found.keys() & {*LIMITS, *FLAGS}:
        complaints.append("no valid limit: searching one ply deep")
        found["depth"] = 1
    for name, least in (("depth", 1), ("nodes", 1), ("movetime", 1), ("mate", 1), ("movestogo", 1), ("perft", 0)):
        if name in found:
            found[name] = max(least, found[name])
    for name in TIMES:
        if name in found:
            found[name] = min(MOST_TIME, found[name])
    return Go(**found, searchmoves=tuple(moves), complaints=tuple(complaints))


def _number(text: str) -> int | None:
    number = whole_number(text[1:] if text[:1] in ("-", "+") else text)
    return number if number is None or text[:1] != "-" else -number


def parse_position(words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the start position, ``startpos`` or a FEN, and the moves after it."""
    start = list(words[: words.index("moves")] if "moves" in words else words)
    moves = list(words[words.index("moves") + 1 :] if "moves" in words else ())
    return " ".join(start[1:] if start[:1] == ["fen"] else start), moves


def parse_setoption(words: Sequence[str]) -> tuple[str, str]:
    """Return name and value.  Both may contain spaces; the value may be missing."""
    value = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:value] if words[:1] == ["name"] else words[:value]), " ".join(words[value + 1 :])


def remark(text: str) -> str:
    """Return an ``info string`` with a message for the user: one line, printable, not too long.

    >>> remark("there is no option 'Ha\\x1bsh'")
    "info string there is no option 'Ha\\\\x1bsh'"
    """
    return one_line(f"info string {text}", LONGEST_REMARK)


def score_text(value: int, win: int, longest: int) -> str:
    """Return a value for the player to move, in centipawns or as moves to mate.

    Args:
        value: a mate is worth ``win``, minus one for each ply until it.
        win: the value of a mate on the board.
        longest: the most plies to a mate.

    >>> score_text(35, 30000, 1000), score_text(29997, 30000, 1000), score_text(-29998, 30000, 1000)
    ('cp 35', 'mate 2', 'mate -1')
    """
    plies = win - abs(value)
    if plies > longest:
        return f"cp {value}"
    return f"mate {(plies + 1) // 2 if value > 0 else -(plies // 2)}"
