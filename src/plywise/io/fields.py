"""The default text form of positions: their fields, such as ``0,1/2,3 1``."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.cells import Cells
from plywise.errors import PositionError
from plywise.io.numbers import read_real, read_value, read_whole

EMPTY = "-"
"""The text of an empty tuple."""


def format_fields(state: Any) -> str:
    """Return the fields of a position, separated by spaces."""
    return " ".join(map(_field_text, state)) if isinstance(state, tuple) else str(state)


def parse_fields(text: str, start: Any, game: str) -> Any:
    """Read what ``format_fields`` writes.

    Args:
        text: the fields, separated by spaces.
        start: a position whose fields have the same types.
        game: the name of the game, for the message.

    Raises:
        PositionError: the text is not such a position.
    """
    if not isinstance(start, tuple):
        raise PositionError(f"{game} has no text form for positions: define parse and format")
    words = text.split()
    names = getattr(start, "_fields", [str(i) for i in range(len(start))])
    if len(words) != len(start):
        raise PositionError(f"{text!r} is not a position of {game}: wanted {len(start)} fields, "
                            f"{' '.join(names)}, such as {format_fields(start)!r}")  # fmt: skip
    values = []
    for name, word, example in zip(names, words, start, strict=True):
        try:
            values.append(_parse_item(word, example, start))
        except ValueError as error:
            if isinstance(example, tuple) or isinstance(start, Cells):
                raise PositionError(f"field {name} of the position: {error}") from None
            raise PositionError(f"{word!r} is not a value for {name}, such as {_field_text(example)!r}") from None
    return type(start)(*values) if hasattr(start, "_fields") else type(start)(values)


def _field_text(value: Any) -> str:
    """Return a field as text without spaces.

    >>> _field_text((0, 1, 2)), _field_text(((0, 1), (2, 3))), _field_text((((0, 1), (2, 3)), ())), _field_text(None)
    ('0,1,2', '0,1/2,3', '0,1/2,3;-', 'None')
    """
    if isinstance(value, tuple):
        return _separator(value).join(map(_field_text, value)) or EMPTY
    return str(int(value)) if isinstance(value, (int, np.integer, np.bool_)) else str(value)


def _separator(value: tuple[Any, ...]) -> str:
    """Return the separator for the items of a tuple; it does not occur in the items."""
    height = _height(value)
    return ",/;"[height - 1] if height <= 3 else "|" * (height - 3)


def _height(value: Any) -> int:
    """Return how deeply tuples are nested."""
    return 1 + max(map(_height, value), default=0) if isinstance(value, tuple) else 0


def _parse_field(word: str, example: Any) -> Any:
    """Return the value of a field.

    Raises:
        ValueError: it has another type than ``example``.  None as an example allows any type; any field may be None.
    """
    if isinstance(example, tuple):
        items = _parse_items(word, example)
        return type(example)(*items) if hasattr(example, "_fields") else type(example)(items)
    if isinstance(example, str):
        return word
    if word == "None":
        return None
    if example is None:
        found = read_value(word)
        return word if isinstance(found, bool) else found
    if isinstance(example, bool):
        return bool(read_whole(word))
    return read_real(word) if isinstance(example, float) else read_whole(word)


def _parse_items(word: str, example: tuple[Any, ...]) -> list[Any]:
    """Return the items of a tuple.

    Raises:
        ValueError: there are more or fewer than in ``example``, or one is wrong; the message says which.
    """
    separator = _separator(example)
    parts = word.split(separator) if example or word != EMPTY else []
    if len(parts) != len(example):
        raise ValueError(
            f"{len(parts)} item{'s' * (len(parts) != 1)}, wanted {len(example)}, separated by {separator!r}"
        )
    items = []
    for number, (part, inner) in enumerate(zip(parts, example, strict=True), 1):
        try:
            items.append(_parse_item(part, inner, example))
        except ValueError as error:
            raise ValueError(f"item {number} of {len(parts)}: {error}") from None
    return items


def _parse_item(word: str, example: Any, whole: tuple[Any, ...]) -> Any:
    """Return an item of a tuple like ``whole``; an item of ``Cells`` must fit into a cell."""
    return Cells([read_whole(word)])[0] if isinstance(whole, Cells) else _parse_field(word, example)
