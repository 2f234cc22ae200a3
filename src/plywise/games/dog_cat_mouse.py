"""A game for three players without a fixed sum: each maximises its own score, so minimax does not apply."""

from __future__ import annotations

import dataclasses

from plywise.games.tree import Tree
from plywise.games.tree_forms import TreeNode


def _tree() -> Tree:
    def mouse(move: str, hide: list[int], run: list[int]) -> dict[str, object]:
        leaves = [{"move": "hide", "values": hide}, {"move": "run", "values": run}]
        return {"move": move, "player": "mouse", "children": leaves}

    return Tree.from_json({
        "players": ["dog", "cat", "mouse"],
        "player": "dog",
        "children": [
            {"move": "chase", "player": "cat", "children": [
                mouse("climb", [4, 3, 6], [3, 2, 7]),
                mouse("hunt", [8, 1, 5], [7, 2, 4]),
            ]},
            {"move": "sleep", "player": "cat", "children": [
                mouse("climb", [2, 4, 6], [1, 5, 8]),
                mouse("hunt", [5, 8, 2], [6, 9, 1]),
            ]},
        ],
    })  # fmt: skip


class DogCatMouse(Tree):
    """The dog chases or sleeps, the cat climbs or hunts, the mouse hides or runs: a ready-made tree for max^n.

    By hand: the mouse chooses (3, 2, 7), (8, 1, 5), (1, 5, 8) and (5, 8, 2) from the four pairs of leaves; of these the
    cat chooses the first and the last, and the dog prefers the last: sleep, hunt, hide.

    >>> game = DogCatMouse()
    >>> game.scores(game.parse("sleep.hunt.hide")).tolist()
    [5, 8, 2]
    """

    title = "Dog, cat, mouse"
    description = "A small tree for three players, for max^n."
    known_size = (15, "2^3")
    nodes: list[TreeNode] = dataclasses.field(init=False, repr=False, default_factory=lambda: _tree().nodes)
    player_names: list[str] = dataclasses.field(init=False, repr=False, default_factory=lambda: _tree().player_names)
