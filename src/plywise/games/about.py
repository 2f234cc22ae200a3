"""What a game is about, in a sentence, and how large it is."""

from __future__ import annotations

import inspect
from typing import Any

ABOUT: dict[str, tuple[str, int | None, str]] = {
    "chess": ("Mate the other king; Chess960 too.", None, "35^80"),
    "connect-four": ("Drop stones into columns; four in a row win.", 4_531_985_219_092, "4^36"),
    "dog-cat-mouse": ("A small tree of three players, for max^n.", 15, "2^3"),
    "mnk": ("k in a row on a board of m columns and n rows.", 5_478, "9!"),
    "nim": ("Take from one heap; whoever takes the last thing wins.", 232, "12!"),
    "red-blue": ("Min, Max and Min choose blue or red: a small tree.", 15, "2^3"),
    "tic-tac-toe": ("Three in a row on the board of 3 by 3.", 5_478, "9!"),
}
"""What a game is about; with its usual parameters, how many positions can arise, and the size of its tree as b^d."""


def about(name: str, game_class: Any) -> str:
    """Return what a game is about, in a sentence: for a game of somebody's own, the first of its docstring.

    A class without one gets its signature for a docstring from ``dataclass``, which describes nothing.
    """
    if name in ABOUT:
        return ABOUT[name][0]
    text = inspect.getdoc(game_class) or ""
    return "" if text.startswith(f"{game_class.__name__}(") else text.partition("\n")[0]
