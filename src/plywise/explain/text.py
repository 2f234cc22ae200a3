"""Numbers, windows and places in the tree, written as people write them."""

from __future__ import annotations

from typing import Any

from plywise.io.wording import listing, number

__all__ = ["LONGEST_LABEL", "listing", "number", "short_label", "window"]

LONGEST_LABEL = 40
"""Letters of a label in a drawing."""


def short_label(text: str, longest: int = LONGEST_LABEL) -> str:
    """Return a text that is not longer than this; if something is missing, it ends with three dots.

    >>> short_label("castle"), short_label("castle", 4)
    ('castle', 'cas…')
    """
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def window(alpha: Any, beta: Any) -> str:
    """Return a window as text.  Ends that differ by less than is written get a plus or a minus.

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
