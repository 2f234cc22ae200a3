"""SGF: game trees as text, as defined by Hollosi's FF[4] (1997), and as older programs wrote them.

Here a game is a tree of nodes with properties; what they mean is the business of each game.  Values stay as they are
written, with their escapes, so that a tree read and written again is the same; ``text_of`` reads one as a text, and
``value_of`` writes one.

Reading is lenient where files in the wild are: text around games is skipped, names of properties may have the lower
case letters of FF[1] to FF[3] (``AddBlack`` is ``AB``), and a property may be given twice.
"""

from __future__ import annotations

import bisect
import codecs
import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from plywise.errors import PositionError, one_line
from plywise.io.files import MOST_BYTES
from plywise.io.files import text_of as text_of_file

LONGEST_ERROR = 200
"""The most characters of an error, because it may quote a value of any length."""
WIDTH = 80
"""The longest line that is written, unless a single value needs more."""

ROOT = frozenset({
    "AN", "AP", "BR", "BT", "CA", "CP", "DT", "EV", "FF", "GC", "GM", "GN", "HA", "KM", "ON", "OT", "PB", "PC", "PW",
    "RE", "RO", "RU", "SO", "ST", "SZ", "TM", "US", "WR", "WT",
})  # fmt: skip
"""The properties of a whole game: after an error, the next game is where a tree starts with one of them."""

_START = re.compile(r"\(\s*(?=;\s*([A-Za-z]*))")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_SPACE = re.compile(r"\s*")
_CHARSET = re.compile(rb"CA\s*\[([^\]]*)\]")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclasses.dataclass(frozen=True)
class Node:
    """Properties, by name, each with one or more values; and where the node is in its file."""

    properties: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    line: int = dataclasses.field(default=0, compare=False)
    column: int = dataclasses.field(default=0, compare=False)

    def get(self, name: str) -> str | None:
        """Return the first value of a property as a text; None if the node does not have it."""
        values = self.properties.get(name)
        return text_of(values[0]) if values else None

    def error(self, message: str) -> PositionError:
        """Return the error for something wrong in this node."""
        return _error(message, self.line, self.column)


@dataclasses.dataclass(frozen=True)
class GameTree:
    """Nodes one after the other, then the ways on: the main line first."""

    nodes: Sequence[Node]
    variations: Sequence[GameTree] = ()

    def main_line(self) -> Iterator[Node]:
        """Yield the nodes of the main line."""
        tree: GameTree | None = self
        while tree is not None:
            yield from tree.nodes
            tree = tree.variations[0] if tree.variations else None


# Reading --------------------------------------------------------------------------------------------------------------


def decoded(content: bytes) -> str:
    """Return the text of a file: by its byte order mark, else by the first ``CA``, else UTF-8 or Latin-1.

    >>> decoded("(;CA[windows-1252]PB[Müller])".encode("cp1252"))
    '(;CA[windows-1252]PB[Müller])'
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    named = _CHARSET.search(content)
    for encoding in ([named[1].decode("ascii", errors="replace").strip()] if named else []) + ["utf-8"]:
        try:
            if "(;[])".encode(encoding) == b"(;[])":
                return content.decode(encoding)
        except (LookupError, ValueError):  # there is no such encoding, or the file is in another one
            continue
    return content.decode("latin-1")


def read_sgf_file(path: str | Path) -> bytes:
    """Return the content of a file, for ``decoded``; it may be UTF-16 if it has a byte order mark.

    Raises:
        SearchError: it is not text, or too long.
        OSError: it cannot be read.
    """
    with Path(path).open("rb") as file:
        if file.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return file.read(MOST_BYTES)
        return text_of_file(file, path)


def read_trees(text: str, on_error: Callable[[PositionError], None] | None = None) -> Iterator[GameTree]:
    """Yield the games in a text, one after the other.

    Args:
        text: one or more games; what is before, between and after them is skipped.
        on_error: called with the error of each game that cannot be read, instead of raising it; the others follow.

    Raises:
        PositionError: the text has no game, or a game cannot be read; the message says where.

    >>> [tree.nodes[1].properties for tree in read_trees("See (;FF[4];B[cd]C[a [1\\\\]])")]
    [{'B': ['cd'], 'C': ['a [1\\\\]']}]
    """
    for tree, wrong in read_damaged_trees(text):
        if wrong is None:
            assert tree is not None
            yield tree
        else:
            (on_error or _raised)(wrong)


def read_damaged_trees(text: str) -> Iterator[tuple[GameTree | None, PositionError | None]]:
    """Yield the games in a text, each with what is wrong with it; such a game has the nodes before that, if any.

    >>> [(tree, wrong)] = read_damaged_trees("(;SZ[9];B[cd](;W[dd])(;W[")
    >>> [list(node.properties) for node in tree.main_line()], str(wrong)
    ([['SZ'], ['B'], ['W']], "SGF, line 1, column 25: the value of W does not end: ']' is missing")
    """
    lines = _Lines(re.sub(r"\r\n?", "\n", text))
    start = lines.next_game(0)
    if start is None:
        yield None, PositionError("SGF: there is no game; a game starts with '(;'")
    while start is not None:
        reader = _Reader(lines, start)
        try:
            tree = reader.game()
        except PositionError as wrong:
            yield reader.so_far(), wrong
            start = lines.next_game(reader.place, surely=True)
        else:
            yield tree, None
            start = lines.next_game(reader.place)


def _raised(error: PositionError) -> None:
    raise error


class _Lines:
    """A text that knows its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def position(self, place: int) -> tuple[int, int]:
        """Return the line and the column of a place, both from 1."""
        line = bisect.bisect_right(self.starts, place)
        return line, place - self.starts[line - 1] + 1

    def next_game(self, place: int, surely: bool = False) -> int | None:
        """Return where the next game starts; with ``surely``, it must not look like a variation of another."""
        games = (game for game in _START.finditer(self.text, place) if not surely or _plain_name(game[1]) in ROOT)
        return next((game.start() for game in games), None)


class _Reader:
    """Reads one game.  Variations may be nested to any depth, so they are kept on a list and not on Python's stack."""

    def __init__(self, lines: _Lines, place: int) -> None:
        self.lines = lines
        self.text = lines.text
        self.place = place
        self.open_trees: list[tuple[list[Node], list[GameTree]]] = []
        """The trees that have begun and not ended, with their nodes and variations."""

    def so_far(self) -> GameTree | None:
        """Return what was read of a game that does not end properly; None if there is no node."""
        tree: GameTree | None = None
        for nodes, variations in reversed(self.open_trees):
            if nodes:
                tree = GameTree(nodes, [*variations, *([tree] if tree else [])])
        return tree

    def game(self) -> GameTree:
        start, open_trees = self.place, self.open_trees
        while True:
            letter = self._next()
            if letter == "(":
                self.place += 1
                if self._next() != ";":
                    raise self._wrong("expected ';' after '('")
                open_trees.append(([], []))
            elif letter == ";":
                if open_trees[-1][1]:
                    raise self._wrong("a node after a variation: variations come last")
                open_trees[-1][0].append(self._node())
            elif letter == ")":
                self.place += 1
                tree = GameTree(*open_trees.pop())
                if not open_trees:
                    return tree
                open_trees[-1][1].append(tree)
            elif letter:
                raise self._wrong(f"{self._word()!r} cannot be read: expected ';', '(' or ')'")
            else:
                line, column = self.lines.position(start)
                raise self._wrong(f"')' is missing: the game that starts in line {line}, column {column} does not end")

    def _node(self) -> Node:
        line, column = self.lines.position(self.place)
        self.place += 1
        properties: dict[str, list[str]] = {}
        while name := self._name():
            properties.setdefault(name, []).extend(self._values(name))
        return Node(properties, line, column)

    def _name(self) -> str | None:
        """Return the name of the next property; None if there is none."""
        self._next()
        found = _NAME.match(self.text, self.place)
        if found is None:
            return None
        self.place = found.end()
        return _plain_name(found[0])

    def _values(self, name: str) -> Iterator[str]:
        if self._next() != "[":
            raise self._wrong(f"the property {name} has no value: expected '['")
        while self._next() == "[":
            value = _VALUE.match(self.text, self.place)
            if value is None:
                wrong = self._wrong(f"the value of {name} does not end: ']' is missing")
                self.place = len(self.text)  # the value takes all of the rest, so no game can follow
                raise wrong
            self.place = value.end()
            yield value[1]

    def _next(self) -> str:
        """Return the next letter that is not a space; empty at the end."""
        space = _SPACE.match(self.text, self.place)
        assert space is not None
        self.place = space.end()
        return self.text[self.place : self.place + 1]

    def _word(self) -> str:
        return self.text[self.place : self.place + 40].split()[0]

    def _wrong(self, message: str) -> PositionError:
        return _error(message, *self.lines.position(self.place))


def _plain_name(name: str) -> str:
    """Return the name of a property without the lower case letters of old files.

    >>> _plain_name("AddBlack"), _plain_name("b")
    ('AB', 'B')
    """
    return re.sub("[a-z]", "", name) or name.upper()


def _error(message: str, line: int, column: int) -> PositionError:
    return PositionError(one_line(f"SGF, line {line}, column {column}: {message}", LONGEST_ERROR))


def text_of(value: str) -> str:
    """Return the text that a value stands for: without escapes, and with spaces for tabs.

    >>> text_of("50 \\\\] 60 \\\\\\\\ and one \\\\\\nline")
    '50 ] 60 \\\\ and one line'
    """
    return re.sub(r"\\(.)", lambda found: found[1].strip("\n"), value.replace("\t", " "), flags=re.DOTALL)


def values_of(value: str) -> list[str]:
    """Return the parts of a composed value: ``dd:1`` has two.

    >>> values_of("aa:time 1\\\\:30"), values_of("aa")
    (['aa', 'time 1:30'], ['aa'])
    """
    parts = [""]
    for word in re.findall(r"\\.|:|[^\\:]+", value, flags=re.DOTALL):
        if word == ":":
            parts.append("")
        else:
            parts[-1] += word
    return [text_of(part) for part in parts]


# Writing --------------------------------------------------------------------------------------------------------------


def value_of(text: str) -> str:
    """Return a text as a value: with escapes for ``]``, ``\\`` and ``:``.

    >>> value_of("[1] 3:0")
    '[1\\\\] 3\\\\:0'
    """
    return re.sub(r"([\]\\:])", r"\\\1", text)


def format_tree(tree: GameTree) -> str:
    """Return a game as a text, which ends with a newline.

    Raises:
        PositionError: a name or a value cannot be written.

    >>> print(format_tree(GameTree([Node({"FF": ["4"]}), Node({"B": ["cd"]})])), end="")
    (;FF[4]
    ;B[cd])
    """
    lines = [""]
    for word in _words(tree):
        full = len(lines[-1]) + len(word) > WIDTH or lines[-1].startswith("(;FF[")
        if lines[-1] and full and word.strip(")"):
            lines.append("")
        lines[-1] += word
    return "\n".join(lines) + "\n"


def _words(tree: GameTree) -> Iterator[str]:
    """Yield parts between which a line may end."""
    left: list[GameTree | None] = [tree]
    prefix = ""
    while left:
        part = left.pop()
        if part is None:
            prefix += ")"
            continue
        prefix += "("
        for node in part.nodes:
            yield prefix + _node_text(node)
            prefix = ""
        left += [None, *reversed(part.variations)]
    yield prefix


def _node_text(node: Node) -> str:
    for name, values in node.properties.items():
        if not re.fullmatch("[A-Z][A-Z0-9_]*", name):
            raise PositionError(f"{name!r} cannot be the name of an SGF property: only capital letters are allowed")
        for value in values:
            if not _VALUE.fullmatch(f"[{value}]"):
                raise PositionError(f"{value!r} cannot be the value of an SGF property: ']' and '\\' need a '\\'")
    return ";" + "".join(f"{name}[{']['.join(values)}]" for name, values in node.properties.items())
