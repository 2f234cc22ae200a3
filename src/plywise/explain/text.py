"""Numbers, windows and places in the tree, written as people write them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

INFINITY = "∞"

LONGEST_LABEL = 40
"""Letters of a label in a drawing."""


def short_label(text: str, longest: int = LONGEST_LABEL) -> str:
    """Return a text that is not longer than this; if something is missing, it ends with three dots.

    >>> short_label("castle"), short_label("castle", 4)
    ('castle', 'cas…')
    """
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def number(value: Any) -> str:
    """Return a score as text: whole numbers without a fraction, infinity as its sign, tuples in brackets.

    >>> number(3.0), number(-math.inf), number((5, 8, 2)), number(0.1 + 0.2)
    ('3', '-∞', '(5, 8, 2)', '0.3')
    """
    if hasattr(value, "tolist"):  # NumPy's
        value = value.tolist()
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(number, value))})"
    if math.isinf(value):
        return INFINITY if value > 0 else f"-{INFINITY}"
    return str(int(value)) if value == int(value) else f"{value:.6g}"


def window(alpha: Any, beta: Any) -> str:
    """Return a window as text.  Ends that differ by less than is written get a plus or a minus.

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


def listing(words: Sequence[str], joint: str = "and") -> str:
    """Return words as a list in a sentence.

    >>> listing(["a"]), listing(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
