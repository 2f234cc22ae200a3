"""Numbers and lists as people write them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

INFINITY = "∞"


NOISE = 1e-12
"""A float nearer to zero than this is what rounding leaves of a sum that is zero."""


def number(value: Any) -> str:
    """Return a score as text: whole numbers without a fraction, infinity as ∞, tuples in brackets.

    >>> number(3.0), number(-math.inf), number((5, 8, 2)), number(0.1 + 0.2), number(0.1 + 0.2 - 0.3)
    ('3', '-∞', '(5, 8, 2)', '0.3', '0')
    """
    if hasattr(value, "tolist"):  # NumPy's
        value = value.tolist()
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(number, value))})"
    if math.isinf(value):
        return INFINITY if value > 0 else f"-{INFINITY}"
    if abs(value) < NOISE:
        return "0"
    return str(int(value)) if value == int(value) else f"{value:.6g}"


def signed(value: Any) -> str:
    """Return a score as text, with a plus sign if it is above zero.

    >>> signed(3), signed(0), signed(-0.5)
    ('+3', '0', '-0.5')
    """
    return f"+{number(value)}" if value >= NOISE else number(value)


def chance_text(probability: float) -> str:
    """Return a probability as text: a short decimal or a simple fraction if it is one, else four digits.

    >>> chance_text(0.25), chance_text(1 / 36), chance_text(0.1234567), chance_text(1)
    ('0.25', '1/36', '0.1235', '1')
    """
    if probability == round(probability, 3):
        return f"{probability:g}"
    simple = Fraction(probability).limit_denominator(7776)  # five dice
    return str(simple) if abs(simple - probability) < 1e-12 else f"{probability:.4g}"


def listing(words: Sequence[str], joint: str = "and") -> str:
    """Return words as a list in a sentence.

    >>> listing(["a"]), listing(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
