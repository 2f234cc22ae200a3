"""Readable texts of numbers, windows and labels."""

from __future__ import annotations

from typing import Any

from plywise.io import wording
from plywise.io.wording import listing

__all__ = ["LONGEST_LABEL", "listing", "number", "short_label", "window", "with_words"]

LONGEST_LABEL = 40
"""The most characters of a label in a drawing."""

NOISE = 1e-8
"""What is smaller can only be a rounding error: each chance node on a path may divide one by a probability."""


def number(value: Any) -> str:
    """Return a score as text.  What can only be a rounding error of an average is 0.

    >>> number(3.0), number(1e-12), number((5, 8, 2))
    ('3', '0', '(5, 8, 2)')
    """
    return "0" if isinstance(value, float) and abs(value) < NOISE else wording.number(value)


def short_label(text: str, longest: int = LONGEST_LABEL) -> str:
    """Return a text cut to at most ``longest`` characters; if it is cut, it ends with an ellipsis.

    >>> short_label("castle"), short_label("castle", 4)
    ('castle', 'cas…')
    """
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def window(alpha: Any, beta: Any) -> str:
    """Return a window as text.  If different ends would look the same, one gets a plus or a minus.

    >>> import math
    >>> window(-math.inf, 3), window(2.5, math.nextafter(2.5, 3)), window(math.nextafter(2.5, 2), 2.5)
    ('(-∞, 3)', '(2.5, 2.5+)', '(2.5-, 2.5)')
    """
    low, high = number(alpha), number(beta)
    if low == high and alpha != beta:
        if len(repr(alpha)) <= len(repr(beta)):
            high += "+"
        else:
            low += "-"
    return f"({low}, {high})"


def with_words(value: Any, words: str) -> str:
    """Return a value, and in parentheses its meaning in the game's words, if there are any.

    >>> with_words(-8, "White by 8 stones"), with_words(3, "")
    ('-8 (White by 8 stones)', '3')
    """
    return f"{number(value)} ({words})" if words else number(value)
