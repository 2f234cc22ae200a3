"""What people write for a number, yes or no.

Numbers are written with the digits 0 to 9.  ``int`` and ``float`` read more: digits of every script, and underscores.
Whatever comes from outside is read by the functions here, so that all of plywise agrees on what a number is.
"""

from __future__ import annotations

import numbers
import re
from typing import Any

WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}

LONGEST_NUMBER = 300
"""Characters of a number."""

_WHOLE = re.compile(r"[+-]?[0-9]+")
_REAL = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?)", re.IGNORECASE)


def whole_number(text: str) -> int | None:
    """Return the number that digits write, if it is one that a machine word holds; else None.

    >>> whole_number("12"), whole_number("-1"), whole_number("\u00b2"), whole_number("9" * 5000)
    (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def read_whole(text: str) -> int:
    """Return the whole number that a text is.

    Raises:
        ValueError: it is none.

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
    """Return the number that a text is, perhaps an infinite one.

    Raises:
        ValueError: it is none.

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
    """Return the number or truth value that a text is, or the text.

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
    """Return whether ``value`` is an integer of some kind, and not True or False."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)
