"""How drawings look: sizes of type, widths of text, colours.  All formats share it.

Colour repeats what shape, line or place already say; every pair of text and ground has a contrast of at least 4.5.
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
"""Sizes of type, in pixels."""

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


@lru_cache(maxsize=10_000)  # a tree has the same few texts at thousands of nodes
def text_width(text: str, style: Style) -> float:
    """Return about how wide a text is, rather more than less: fonts differ.

    >>> text_width("123", "move"), text_width("123", "board")
    (21.6, 20.1)
    """
    if style in MONOSPACED:
        ems = 0.61 * len(text)
    else:
        ems = sum(0.38 if letter in _NARROW else 0.86 if letter in _WIDE_LETTERS else 0.6 for letter in text)
    return round(ems * SIZES[style] * (1.06 if style in BOLD else 1.0), 1)


def line_height(style: Style) -> float:
    """Return how far apart two lines of text are."""
    return SIZES[style] * 1.2
