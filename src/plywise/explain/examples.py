"""Small trees that are worth stepping through, each for one thing that it shows."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    name: str
    title: str
    about: str
    """What to look for."""
    tree: str
    """What ``Tree.from_text`` reads."""
    algorithm: str
    """With which to look first."""


EXAMPLES = (
    Example(
        "three-by-three", "Three by three",
        "The second Min is left after its first leaf: 2 is already less than the 3 that Max has. "
        "The tree of Russell and Norvig's textbook.",
        "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", "alphabeta",
    ),
    Example(
        "deep-cutoff", "A deep cutoff",
        "What the root has secured cuts three plies below it, as Knuth and Moore (1975) showed.",
        "[5, [[[3, 9], [8, 7]], 4]]", "alphabeta",
    ),
    Example(
        "ties", "Equal values",
        "Cutting on alpha = beta or only on alpha > beta: the value is the same, the leaves visited are not.",
        "[[3, 5], [3, 1], [4, 2]]", "alphabeta",
    ),
    Example(
        "second-look", "A second look",
        "Principal variation search tests the second move with a null window, finds it better and searches it again.",
        "[[[2, 4], [3, 1]], [[6, 7], [5, 8]], [[1, 2], [9, 3]]]", "pvs",
    ),
    Example(
        "twice", "Max moves twice",
        "Players need not take turns: here Max has two moves in a row, so nothing changes sign between them.",
        '{"player": "max", "children": [{"player": "max", "move": "stay", "children": [4, 7]}, '
        '{"player": "min", "move": "go", "children": [{"player": "max", "children": [9, 2]}, 5]}]}',
        "negamax_alphabeta",
    ),
    Example(
        "three-players", "Three players",
        "Each leaf has a score for everybody; each player maximises its own (max^n, Luckhardt and Irani 1986).",
        '{"players": ["Ann", "Ben", "Cleo"], "player": "Ann", "children": ['
        '{"player": "Ben", "children": [{"values": [1, 2, 6]}, {"values": [4, 3, 2]}]}, '
        '{"player": "Ben", "children": [{"values": [6, 1, 2]}, {"player": "Cleo", "children": '
        '[{"values": [7, 4, 1]}, {"values": [5, 5, 3]}]}]}]}',
        "maxn",
    ),
)  # fmt: skip
