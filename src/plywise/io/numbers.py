"""Read numbers and truth values.

Numbers use the digits 0 to 9 only; ``int`` and ``float`` also accept underscores and the digits of every script.  All
input is read by the functions here, so that all of plywise agrees on what a number is.
"""

from __future__ import annotations

import numbers
import re
from typing import Any

WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}

LONGEST_NUMBER = 300
"""The most characters in a number."""

_WHOLE = re.compile(r"[+-]?[0-9]+")
_REAL = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?)", re.IGNORECASE)


def whole_number(text: str) -> int | None:
    """Return the number written as at most 18 digits, so that it fits a machine word; else None.

    >>> whole_number("12"), whole_number("-1"), whole_number("\u00b2"), whole_number("9" * 5000)
    (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def read_whole(text: str) -> int:
    """Read a whole number.

    Raises:
        ValueError: the text is not one.

    >>> read_whole(" -12 ")
    -12
    >>> read_whole("1_000")
    Traceback (most recent call last):
    ...
    ValueError: '1_000' is not a whole number
    """
    plain = text.strip()
    if len(plain) > LONGEST_NUMBER or not _WHOLE.fullmatch(plain):
        raise ValueError(f"{text!r} is not a whole number")
    return int(plain)


def read_real(text: str) -> float:
    """Read a number, perhaps infinite.

    Raises:
        ValueError: the text is not one.

    >>> read_real("-0.5e3"), read_real("inf")
    (-500.0, inf)
    >>> read_real("\u0661\u0662")
    Traceback (most recent call last):
    ...
    ValueError: '\u0661\u0662' is not a number
    """
    plain = text.strip()
    if len(plain) > LONGEST_NUMBER or not _REAL.fullmatch(plain):
        raise ValueError(f"{text!r} is not a number")
    return float(plain)


def read_value(text: str) -> Any:
    """Read a number or truth value; return any other text as it is.

    >>> read_value("off"), read_value("12"), read_value("0.5"), read_value("aged")
    (False, 12, 0.5, 'aged')
    """
    text = text.strip()
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for read in (read_whole, read_real):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def is_whole(value: Any) -> bool:
    """Return whether ``value`` is an integer of any type, but not True or False."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def plain_number(value: Any) -> Any:
    """Return a number of NumPy's as one of Python's, and any other as it is."""
    return value.item() if hasattr(value, "item") else value
