"""Numbers and lists as people write them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Any

INFINITY = "∞"


NOISE = 1e-12
"""A float nearer to zero than this is what rounding leaves of a sum that is zero."""

LIKE = 0.5
"""How like a text must be to be suggested for another: the share of letters that they have in common, in order."""


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


def suggestion(text: str, choices: Sequence[Sequence[str]], few: int = 10, most: int = 5) -> str:
    """Return what to write instead of a wrong text: all choices if they are few, else those that are written like it.

    Args:
        text: the wrong text.
        choices: the ways to write each choice; the first is shown.
        few: up to this many choices are all shown.
        most: the most that are shown of more.

    >>> promotions = [[f"a8={piece}", f"a7a8{piece.lower()}"] for piece in "QRBN"]
    >>> others = [[f"{file}{rank}"] for file in "bcdefgh" for rank in "34"]
    >>> suggestion("a8", [*others, *promotions])
    'did you mean a8=Q, a8=R, a8=B or a8=N?'
    >>> suggestion("a8", others[:2])
    'legal are: b3 b4'
    >>> suggestion("?!", others)
    'some of the 14 legal moves are: b3 b4 c3 c4 d3'
    """
    if len(choices) <= few:
        return f"legal are: {' '.join(ways[0] for ways in choices)}"
    likeness = {ways[0]: max(_likeness(text, way) for way in ways) for ways in choices}
    enough = max(LIKE, max(likeness.values()) - 0.1)
    near = sorted((name for name, like in likeness.items() if like >= enough), key=lambda name: -likeness[name])
    if near:
        return f"did you mean {listing(near[:most], 'or')}?"
    return f"some of the {len(choices)} legal moves are: {' '.join(ways[0] for ways in choices[:most])}"


def _likeness(text: str, other: str) -> float:
    """Return how like two texts are; more than 1 if one begins with the other."""
    one, two = text.lower()[:100], other.lower()[:100]
    begins = bool(one and two) and (one.startswith(two) or two.startswith(one))
    return begins + SequenceMatcher(None, one, two, autojunk=False).ratio()
