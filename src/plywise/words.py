"""What people write for a number, yes or no."""

from __future__ import annotations

from typing import Any

WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


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
