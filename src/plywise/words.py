"""What people write for a number, yes or no."""

from __future__ import annotations

from typing import Any

WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}

ARGUMENTS = frozenset(
    ("self", "game", "state", "depth", "seconds", "nodes", "algorithm", "all_moves", "record", "on_info", "on_bound",
     "enough", "history", "moves", "control", "proof", "weak")
)  # fmt: skip
"""What a search is given that is no option of it: it has a place of its own, or only a program can give it."""


def whole_number(text: str) -> int | None:
    """Return the number that digits write, if it is one that a machine word holds; else None.

    >>> whole_number("12"), whole_number("-1"), whole_number("\u00b2"), whole_number("9" * 5000)
    (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def read_value(text: str) -> Any:
    """Return the number or truth value that a text is, or the text.

    >>> read_value("off"), read_value("12"), read_value("0.5"), read_value("aged")
    (False, 12, 0.5, 'aged')
    """
    text = text.strip()
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
