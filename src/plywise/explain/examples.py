"""Small trees to step through, each with one point to show."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    name: str
    title: str
    about: str
    """What to look for."""
    tree: str
    """A text for ``Tree.from_text``."""
    algorithm: str
    """The algorithm to try first."""


EXAMPLES = (
    Example(
        "three-by-three", "Three by three",
        "The search leaves the second Min node after its first leaf: 2 is already less than Max's 3. "
        "The tree is from Russell and Norvig's textbook.",
        "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", "alphabeta",
    ),
    Example(
        "deep-cutoff", "A deep cutoff",
        "A bound secured at the root causes a cut three plies below it, as Knuth and Moore (1975) showed.",
        "[5, [[[3, 9], [8, 7]], 4]]", "alphabeta",
    ),
    Example(
        "ties", "Equal values",
        "Cut on alpha = beta, or only on alpha > beta: the value is the same, but the leaves visited differ.",
        "[[3, 5], [3, 1], [4, 2]]", "alphabeta",
    ),
    Example(
        "second-look", "A second look",
        "Principal variation search tests the second move with a null window, finds it better and searches it again.",
        "[[[2, 4], [3, 1]], [[6, 7], [5, 8]], [[1, 2], [9, 3]]]", "pvs",
    ),
    Example(
        "twice", "Max moves twice",
        "Players need not alternate: here Max moves twice in a row, so the sign does not change in between.",
        '{"player": "max", "children": [{"player": "max", "move": "stay", "children": [4, 7]}, '
        '{"player": "min", "move": "go", "children": [{"player": "max", "children": [9, 2]}, 5]}]}',
        "negamax_alphabeta",
    ),
    Example(
        "dice", "A roll of the dice",
        "Where chance decides, a value is an average. Star1 stops as soon as the average cannot reach Max's 2 any more "
        "(Ballard 1983).",
        '{"player": "max", "children": [2, {"player": "chance", "move": "roll", "probabilities": [0.5, 0.25, 0.25], '
        '"children": [{"player": "min", "children": [0, 9, 8, -1]}, {"player": "min", "children": [0, 7, 9, 6]}, '
        '{"player": "min", "children": [4, 9, 8, 3]}]}]}',
        "star1",
    ),
    Example(
        "three-players", "Three players",
        "Each leaf has a score for every player; each maximises its own (max^n, Luckhardt and Irani 1986).",
        '{"players": ["Ann", "Ben", "Cleo"], "player": "Ann", "children": ['
        '{"player": "Ben", "children": [{"values": [1, 2, 6]}, {"values": [4, 3, 2]}]}, '
        '{"player": "Ben", "children": [{"values": [6, 1, 2]}, {"player": "Cleo", "children": '
        '[{"values": [7, 4, 1]}, {"values": [5, 5, 3]}]}]}]}',
        "maxn",
    ),
)  # fmt: skip
