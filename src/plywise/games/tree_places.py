"""Where the text of a tree is wrong, and JSON's complaints in plain words.

Reading a tree stops at the first error, whose message names a node: ``root[1][0]``, ``root.children[2]`` or
``state 'A'``.  Only then is the text searched for that node, so reading a correct tree costs nothing more.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from plywise.errors import GameError

Span = tuple[int, int]
"""The start and the end of a part of a text."""

LONGEST_LINE = 72
"""The most characters of a line that a place quotes."""

WORDS = {
    "Expecting value": "a number, a list or an object is missing here",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing here",
    "Expecting ':' delimiter": "a colon is missing here, between a name and its value",
    "Expecting property name enclosed in double quotes": 'a name in double quotes is missing here, such as "player"',
    "Illegal trailing comma before end of array": "this comma has nothing after it",
    "Illegal trailing comma before end of object": "this comma has nothing after it",
    "Extra data": "the tree ends before this; remove it, or put everything into one list",
    "Unterminated string starting at": "this text has no closing quote",
    "Invalid control character at": "a text must not go on in the next line",
    "Invalid \\escape": "this backslash means nothing",
}
"""What is wrong with a JSON text, by the message of Python's parser."""


class TextPlace(NamedTuple):
    """A part of a text, for a message that points at it."""

    start: int
    end: int
    """In UTF-16 units, as browsers count."""
    line: int
    column: int
    """From 1."""
    text: str
    """The line, or the part of a long one around the place."""
    caret: int
    length: int
    """Where the place is in ``text``, and how much of it."""


class TreeTextError(GameError):
    """The text of a tree is wrong; ``place`` is where, if that is known."""

    def __init__(self, message: str = "", place: TextPlace | None = None) -> None:
        super().__init__(message)
        self.place = place


def complaint(text: str, error: Exception) -> TreeTextError:
    """Return an error about the text of a tree, with its place."""
    if isinstance(error, json.JSONDecodeError):
        span = _token(text, error.pos)
        place = _place(text, span)
        words = WORDS.get(error.msg.removesuffix(": "), error.msg)
        return TreeTextError(f"this is not a tree: line {place.line}, column {place.column}: {words}", place)
    found = _span(text, str(error))
    message = str(error) if isinstance(error, GameError) else f"this is not a tree: {error}"
    return TreeTextError(message, None if found is None else _place(text, found))


def _token(text: str, start: int) -> Span:
    """Return the word or sign that starts here; at the end of the text, the last sign."""
    if not text[start:].strip():
        last = len(text.rstrip())
        return max(0, last - 1), last
    start += len(text[start:]) - len(text[start:].lstrip())
    word = re.compile(r"[\w.+-]+|.", re.DOTALL).match(text, start)
    assert word is not None
    return word.span()


def _place(text: str, span: Span) -> TextPlace:
    start, end = span
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", start)
    line, caret = text[first : len(text) if last < 0 else last], start - first
    length = max(1, min(end, first + len(line)) - start)
    skipped = max(0, caret - LONGEST_LINE // 2)
    shown = line[skipped : skipped + LONGEST_LINE].replace("\t", " ")
    length = max(1, min(length, len(shown) - (caret - skipped)))
    line_number = text.count("\n", 0, start) + 1
    return TextPlace(_units(text, start), _units(text, end), line_number, caret + 1, shown, caret - skipped, length)


def _units(text: str, at: int) -> int:
    """Return how many UTF-16 units come before a place."""
    return len(text[:at].encode("utf-16-le", "surrogatepass")) // 2


def _span(text: str, message: str) -> Span | None:
    """Return the part of a text that a message is about, if it names one."""
    if text.lstrip()[:1] in ("[", "{"):
        path = re.match(r"root((?:\.children\[\d+\]|\[\d+\])*):", message)
        return None if path is None else _json_span(text, list(map(int, re.findall(r"\[(\d+)\]", path[1]))))
    if state := re.match(r"state '([^']*)'", message):
        named = _part_like(text, rf"(?<!\S){re.escape(state[1])}(?!\S)") if state[1] else None
        return named or _part_like(text, "^start_state:.*")  # only that line names it
    if wrong := re.match(r"(\w+): (?:'([^']*)')?", message):
        words = r"\s+".join(map(re.escape, (wrong[2] or "").split()))
        return _part_like(text, words or f"^{wrong[1]}:") or _token(text, len(text))  # it is missing up to the end
    return None


def _part_like(text: str, pattern: str) -> Span | None:
    found = re.search(pattern, text, re.MULTILINE)
    return None if found is None else found.span()


def _json_span(text: str, path: list[int]) -> Span:
    """Return the part of a correct JSON text that a path leads to: the numbers of children, from 0."""
    decoder = json.JSONDecoder()
    at = _after_space(text, 0)
    for number in path:
        if text[at] == "{":
            at = _children(text, at, decoder)
        at = _after_space(text, at + 1)
        for _ in range(number):
            at = _after_space(text, decoder.raw_decode(text, at)[1])  # the comma
            at = _after_space(text, at + 1)
    return at, decoder.raw_decode(text, at)[1]


def _children(text: str, at: int, decoder: json.JSONDecoder) -> int:
    """Return where the list of children of an object starts: the last one, which is read if there are several."""
    found = at
    while text[at] != "}":
        name, at = decoder.raw_decode(text, _after_space(text, at + 1))
        at = _after_space(text, _after_space(text, at) + 1)  # the colon
        if name == "children":
            found = at
        at = _after_space(text, decoder.raw_decode(text, at)[1])  # the comma, or the end
    return found


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
