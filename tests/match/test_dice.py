"""The umpire's dice follow the probabilities of the rules, and can be rolled again."""

from __future__ import annotations

from collections import Counter

import plywise as pw
from plywise.match.dice import Dice

TREE = pw.games.Tree.from_json('{"player": "chance", "probabilities": [0.5, 0.375, 0.125], "children": [1, 2, 3]}')
ROLLS = 8000


def test_outcomes_are_as_frequent_as_they_are_likely() -> None:
    state = TREE.initial()
    for rolled in (
        Counter(Dice(seed).roll(TREE, state, ply=0) for seed in range(ROLLS)),
        Counter(Dice(0).roll(TREE, state, ply) for ply in range(ROLLS)),
    ):
        for outcome in TREE.moves(state):
            likely = TREE.probability(state, outcome)
            deviation = (likely * (1 - likely) / ROLLS) ** 0.5
            assert abs(rolled[outcome] / ROLLS - likely) < 4 * deviation


def test_a_roll_depends_only_on_the_seed_and_the_ply() -> None:
    state, dice = TREE.initial(), Dice(3)
    forwards = [dice.roll(TREE, state, ply) for ply in range(50)]
    backwards = [Dice(3).roll(TREE, state, ply) for ply in reversed(range(50))]
    assert forwards == backwards[::-1]
