"""The drawings of the lecture trees match files that a person has checked.

The files are in ``golden/``.  After an intended change, renew them and look at each:

    PLYWISE_RENEW_GOLDEN=1 python -m pytest -n 0 tests/explain/test_golden.py
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from plywise.explain import Figure, figure, grow
from plywise.games import DogCatMouse, RedBlue, TicTacToe, Tree
from tests.explain.test_chance import DICE
from tests.explain.test_search_tree import recorded

GOLDEN = Path(__file__).parent / "golden"
RENEW = "PLYWISE_RENEW_GOLDEN"

BOOK = Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
"""The tree with which Russell and Norvig explain alpha-beta."""

DRAWINGS: dict[str, Callable[[], Figure]] = {
    "red-blue-window": lambda: figure(grow(recorded(RedBlue(), "alphabeta"))),
    "red-blue-edge": lambda: figure(grow(recorded(RedBlue(), "alphabeta")), notation="edge"),
    "red-blue-blank": lambda: figure(grow(recorded(RedBlue(), "minimax")), notation="blank", marks={0: "A"}),
    "red-blue-scout": lambda: figure(grow(recorded(RedBlue(), "scout"))),
    "red-blue-mtdf": lambda: figure(grow(recorded(RedBlue(), "mtdf"))),
    "book-interval": lambda: figure(grow(recorded(BOOK, "alphabeta")), notation="interval"),
    "dog-cat-mouse": lambda: figure(grow(recorded(DogCatMouse(), "maxn"))),
    "dice-star1": lambda: figure(grow(recorded(DICE, "star1"))),
    "dice-star2": lambda: figure(grow(recorded(DICE, "star2")), notation="interval"),
    "tic-tac-toe": lambda: figure(grow(recorded(TicTacToe(), "alphabeta", state="XO./.X./..O", depth=2)), widest=2),
}


@pytest.mark.parametrize("kind", ["svg", "tex"])
@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_what_it_was(name: str, kind: str) -> None:
    drawing = DRAWINGS[name]()
    text = drawing.svg() if kind == "svg" else drawing.tikz()
    file = GOLDEN / f"{name}.{kind}"
    if os.environ.get(RENEW):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"{file.name} has changed; if that is meant, set {RENEW}=1"
