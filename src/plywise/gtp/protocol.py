"""Lines of GTP: commands are read, answers are written."""

from __future__ import annotations

import re
from typing import NamedTuple

from plywise.errors import one_line
from plywise.io.numbers import read_real, whole_number
from plywise.match.time_control import TOO_LONG_A_TIME

LONGEST_ERROR = 300
"""The most characters of an error, because it may quote a line of any length."""
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
"""Players by their names in commands."""


class CommandError(Exception):
    """A command cannot be carried out; the message is the answer."""


class Command(NamedTuple):
    """A command: its number, if it has one, its name and its arguments."""

    number: str
    name: str
    arguments: list[str]


def parse_command(line: str) -> Command | None:
    """Return the command in a line; None if it has none, because it is empty or a comment.

    >>> parse_command("12 play\\tB D4 # a comment")
    Command(number='12', name='play', arguments=['B', 'D4'])
    >>> parse_command("# only a comment")
    """
    words = re.sub(r"[\x00-\x1f\x7f]", "", line.replace("\t", " ")).partition("#")[0].split()
    number = words.pop(0) if words and whole_number(words[0]) is not None else ""
    return Command(number, words[0], words[1:]) if words else None


def success(number: str, text: str = "") -> str:
    """Return the answer to a command that was carried out.  An empty line would end it early, so it has none.

    >>> success("1", "Q16")
    '=1 Q16\\n'
    """
    lines = "\n".join(line for line in text.splitlines() if line.strip())
    gap = "\n" if text.startswith("\n") else ""
    return f"={number} {gap}{lines}".rstrip() + "\n"


def failure(number: str, message: str) -> str:
    """Return the answer to a command that failed.

    >>> failure("", "unknown command")
    '? unknown command\\n'
    """
    return f"?{number} {one_line(message, LONGEST_ERROR)}\n"


def read_colour(text: str) -> int:
    """Return the player that a word names."""
    if text.lower() not in COLOURS:
        raise CommandError(f"invalid color {text!r}: black or white")
    return COLOURS[text.lower()]


def read_count(text: str) -> int:
    """Return a number from 0 up."""
    number = whole_number(text)
    if number is None:
        raise CommandError(f"syntax error: {text!r} is not a number")
    return number


def read_number(text: str) -> float:
    """Return a number."""
    try:
        return read_real(text)
    except ValueError as error:
        raise CommandError(f"syntax error: {error}") from None


def read_seconds(text: str) -> float:
    """Return a time in seconds; below 0 it has run out."""
    seconds = read_number(text)
    if not abs(seconds) < TOO_LONG_A_TIME:
        raise CommandError(f"syntax error: {text!r} is not a time below {TOO_LONG_A_TIME:,} seconds")
    return seconds
