"""The exceptions of plywise.  Each message says what was given, what is allowed, and where.

The input that a message quotes may be a megabyte long, or contain escape codes for the terminal.  So every message
passes through ``concise``; code that raises an error need not care.
"""

from __future__ import annotations

import re

LONGEST_QUOTE = 120
"""The most characters that a message shows of a quotation or a word."""

_QUOTED = r"""(?<!\w)(['"])((?:(?!\1)[^\\]|\\.|(?<=\w)\1(?=\w)){%d,}?)\1(?!\w)"""  # an apostrophe ends no quote
_WORD = r"[^\s'\"]{%d,}"


def concise(message: str, longest: int = LONGEST_QUOTE) -> str:
    """Return a printable message whose quotations and words have at most ``longest`` characters.

    >>> concise(f"there is no game {'x' * 1000!r}: see plywise's games", 20)
    "there is no game 'xxxxxxxxxxxx…xxxxx': see plywise's games"
    """
    text = printable(message)
    text = re.sub(_QUOTED % (longest - 1), lambda found: found[1] + shortened(found[2], longest - 2) + found[1], text)
    return re.sub(_WORD % (longest + 1), lambda word: shortened(word[0], longest), text)


def printable(text: str) -> str:
    """Return a text with unprintable characters escaped, except newlines and tabs.

    >>> printable("\x1b[31mred")
    '\\\\x1b[31mred'
    """
    return "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)


def shortened(text: str, longest: int) -> str:
    """Return a text of at most ``longest`` characters; a longer one loses its middle.

    >>> shortened("abcdefghijklmnop", 10)
    'abcdef…nop'
    """
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 3
    return f"{text[: longest - 1 - tail]}…{text[len(text) - tail :]}"


def one_line(text: str, longest: int) -> str:
    """Return a text as one printable line of at most ``longest`` characters; a longer one loses its end.

    >>> one_line("two\\nlines", 8)
    'two lin…'
    """
    line = " ".join(printable(text).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


class PlywiseError(Exception):
    """Base class of the errors that plywise raises on purpose."""

    def __init__(self, message: str = "") -> None:
        super().__init__(concise(message))


class GameError(PlywiseError):
    """A game's definition is wrong: the message names the class, the method and what to change."""


class PositionError(PlywiseError, ValueError):
    """A text or a value does not describe a position or a move of this game."""


class SearchError(PlywiseError, ValueError):
    """A search cannot do what was requested."""


class ProofError(SearchError):
    """A proof is wrong, incomplete, or for another game."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line
        """The line number in the proof file."""


class QuizError(PlywiseError, ValueError):
    """A quiz cannot be made with these options, or an answer cannot be read."""


class CompileWarning(UserWarning):
    """A game runs interpreted because Numba cannot compile it."""


class CacheWarning(UserWarning):
    """Machine code is not cached on disk, or not as requested: the message says why and what to do."""


class Stopped(Exception):
    """Raised inside a running search when time is up, the node limit is reached or the user stops it."""

    def __init__(self, nodes: int = 0, leaves: int = 0) -> None:
        super().__init__(nodes, leaves)
        self.nodes, self.leaves = nodes, leaves
