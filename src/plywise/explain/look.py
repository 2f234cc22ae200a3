"""The look of drawings in all formats: font sizes, text widths, colours.

Colour only repeats what shape, line or place already show.  All text has a contrast of at least 4.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

Style = Literal["value", "entry", "now", "interval", "board", "move", "bound", "reason", "mark", "title", "fact"]

SIZES: Mapping[Style, float] = MappingProxyType({
    "value": 14, "entry": 11, "now": 11, "interval": 11, "board": 11, "move": 12, "bound": 11, "reason": 11,
    "mark": 13, "title": 15, "fact": 12,
})  # fmt: skip
"""Font sizes in pixels."""

BOLD: frozenset[Style] = frozenset({"value", "now", "mark", "title"})
ITALIC: frozenset[Style] = frozenset({"entry"})
MUTED: frozenset[Style] = frozenset({"entry", "bound", "fact"})
MONOSPACED: frozenset[Style] = frozenset({"board"})

PALETTES: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "light": {
        "paper": "#ffffff", "ink": "#1f2933", "muted": "#52606d", "line": "#616e7c", "best": "#0b57d0",
        "cut": "#b42318", "max": "#dbe9ff", "min": "#fdebd3", "leaf": "#f5f7fa",
    },
    "dark": {
        "paper": "#14181d", "ink": "#e6eaf0", "muted": "#a5b0bc", "line": "#8a96a3", "best": "#8ab4f8",
        "cut": "#ff9d90", "max": "#1d3557", "min": "#4a3419", "leaf": "#252c34",
    },
})  # fmt: skip

_NARROW = frozenset("iljtfrI.,:;'|!()[] ")
_WIDE_LETTERS = frozenset("mwMWAOQGC≥≤∞→…+=<>")


@lru_cache(maxsize=10_000)  # thousands of nodes share a few texts
def text_width(text: str, style: Style) -> float:
    """Return roughly how wide a text is, on the wide side because fonts differ.

    >>> text_width("123", "move"), text_width("123", "board")
    (21.6, 20.1)
    """
    if style in MONOSPACED:
        ems = 0.61 * len(text)
    else:
        ems = sum(0.38 if letter in _NARROW else 0.86 if letter in _WIDE_LETTERS else 0.6 for letter in text)
    return round(ems * SIZES[style] * (1.06 if style in BOLD else 1.0), 1)


def line_height(style: Style) -> float:
    """Return the distance between two lines of text."""
    return SIZES[style] * 1.2
