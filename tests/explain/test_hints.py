"""A hint shows where a wrong answer goes wrong, and does not tell the right one."""

from __future__ import annotations

import random
import re

import pytest

from plywise.explain import quiz_about, quiz_number, quiz_of
from plywise.explain.sentences import place
from plywise.explain.text import window
from plywise.games import Tree
from tests.explain.test_quiz import minimax, random_json

TREES = 300


@pytest.mark.parametrize(
    ("quiz", "name", "given", "hint"),
    [
        (1, "value", "6", "6 does not get past node R R: Min has a better move there."),
        (1, "value", "99", "The value of the root is always the value of a leaf, and no leaf has 99."),
        (1, "move", "R", "With best play R is worth 0. Min wants less: which move gives that?"),
        (
            1,
            "window",
            "-inf inf",
            "Alpha is right. Beta is what Min has secured above node R B before alpha-beta enters it: "
            "look at the root.",
        ),
        (
            2,
            "window",
            "-4 3",
            "Alpha is right. Beta is what Min has secured above node D before alpha-beta enters it: "
            "which Min nodes are above node D?",
        ),
        (
            5,
            "pruned",
            "none",
            "Look again below node B D I (Min). Alpha-beta enters it with the window (4, ∞): "
            "compare alpha with beta after each move.",
        ),
        (
            1,
            "pruned",
            "h",
            "Look again below node R (Max): with which window does alpha-beta enter it, "
            "and what does each move change?",
        ),
    ],
)
def test_a_wrong_answer_gets_a_hint(quiz: int, name: str, given: str, hint: str) -> None:
    assert quiz_number(quiz).grade(name, given).hint == hint


def test_a_move_that_is_equally_good_but_later_is_told_so() -> None:
    quiz = quiz_of({"tree": "[[3, 12], [3, 4]]", "strict": True})
    assert quiz.grade("move", "C").hint == "C is as good as the right move, but an earlier move is equally good."


def test_a_right_answer_has_no_hint() -> None:
    quiz = quiz_number(1)
    assert [quiz.grade(question.name, quiz.answer(question.name)).hint for question in quiz.questions] == [""] * 4


def test_a_value_stops_at_the_node_that_the_hint_names() -> None:
    """By plain minimax on random trees: a move there has the value, and the node itself has another."""
    for seed in range(TREES):
        tree = random_json(random.Random(seed), 4)
        quiz = quiz_about(Tree.from_json(tree))
        for value in {leaf.value for leaf in quiz.leaves.values()} - {minimax(tree)}:
            named = re.search(r"does not get past (?:the root|node ([A-Z ]+)):", quiz.grade("value", str(value)).hint)
            assert named is not None, (seed, value)
            node, visit = tree, quiz.root
            for move in (named[1] or "").split():
                at = [quiz.whole.move_text(visit, child.move) for child in visit.children].index(move)
                node, visit = node["children"][at], visit.children[at]
            assert minimax(node) != value, (seed, value)
            assert value in map(minimax, node["children"]), (seed, value)


def test_a_hint_on_leaves_names_no_leaf_and_not_the_window_that_is_asked_for() -> None:
    for seed in range(TREES):
        tree = random_json(random.Random(seed), 4)
        quiz = quiz_about(Tree.from_json(tree), strict=seed % 2 == 1, seed=seed)
        for letter, leaf in quiz.leaves.items():
            hint = quiz.grade("pruned", ",".join(quiz.pruned ^ {letter})).hint
            assert not re.search(rf"\b{place(quiz.whole, leaf)} \(", hint), (seed, letter)
            if quiz.marked is not None:
                assert window(quiz.marked.alpha, quiz.marked.beta) not in hint, (seed, letter)
