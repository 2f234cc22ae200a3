"""Quizzes are graded exactly, can be made again from their seed, and have the requested properties."""

from __future__ import annotations

import itertools
import json
import math
import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plywise.cli.quiz import bare_drawing
from plywise.errors import GameError, PositionError, QuizError, SearchError
from plywise.explain import Quiz, Wishes, quiz_about, quiz_number, quiz_of, random_quiz, sentence
from plywise.explain.exercise_sheet import bare_figure, solved_figure
from plywise.explain.lettering import letters
from plywise.explain.quiz import QUESTIONS
from plywise.explain.wishes import SERIES, TITLES, cuts
from plywise.games import DogCatMouse, Pig, RedBlue, TicTacToe, Tree
from tests import oracle

TREES = 1000


class Plain:
    """Alpha-beta as everybody writes it, on trees in JSON: what it evaluates is looked at, all else is pruned."""

    def __init__(self, tree: Any, strict: bool) -> None:
        self.strict = strict
        self.leaves = itertools.count()
        self.seen: set[int] = set()
        self.windows: dict[tuple[int, ...], tuple[float, float]] = {}
        self.numbered = self._number(tree)
        self.value = self._search(self.numbered, (), -math.inf, math.inf)

    def _number(self, tree: Any) -> Any:
        """Give every leaf its number, from left to right."""
        if isinstance(tree, dict):
            return {**tree, "children": [self._number(child) for child in tree["children"]]}
        return (next(self.leaves), tree)

    def _search(self, tree: Any, path: tuple[int, ...], alpha: float, beta: float) -> float:
        if isinstance(tree, tuple):
            self.seen.add(tree[0])
            return tree[1]
        self.windows[path] = (alpha, beta)
        best = -math.inf if tree["player"] == "max" else math.inf
        for i, child in enumerate(tree["children"]):
            value = self._search(child, (*path, i), alpha, beta)
            if tree["player"] == "max":
                best = max(best, value)
                if best > beta or (best == beta and not self.strict):
                    break
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                if best < alpha or (best == alpha and not self.strict):
                    break
                beta = min(beta, best)
        return best

    @property
    def pruned(self) -> set[str]:
        return {letters(i) for i in range(next(self.leaves)) if i not in self.seen}


def random_json(chance: random.Random, depth: int) -> Any:
    """A tree of any shape, whose players need not take turns, with many ties."""
    if depth == 0 or (depth < 4 and chance.random() < 0.15):
        return chance.randint(-6, 6)
    children = [random_json(chance, depth - 1) for _ in range(chance.randint(1, 3))]
    return {"player": chance.choice(["max", "min"]), "children": children}


def test_exactly_the_leaves_that_are_never_visited_are_right() -> None:
    """On a thousand random trees, and every answer that differs in one leaf is wrong, with a true reason."""
    for seed in range(TREES):
        tree, strict = random_json(random.Random(seed), 4), seed % 2 == 1
        plain, quiz = Plain(tree, strict), quiz_about(Tree.from_json(tree), strict=strict)
        right = plain.pruned
        assert quiz.grade("pruned", " ".join(right)).right, seed
        for letter in quiz.leaves:
            grade = quiz.grade("pruned", ",".join(right ^ {letter}))
            assert not grade.right, (seed, letter)
            assert [remark.leaves for remark in grade.remarks] == [(letter,)], (seed, letter)
            event = quiz.events[grade.remarks[0].step.number - 1]
            assert event.kind == ("cut" if letter in right else "leaf"), (seed, letter)


def test_value_window_and_move_are_those_of_the_plain_search() -> None:
    for seed in range(TREES):
        tree, strict = random_json(random.Random(seed), 4), seed % 2 == 1
        plain, quiz = Plain(tree, strict), quiz_about(Tree.from_json(tree), strict=strict, seed=seed)
        assert [quiz.grade("value", str(value)).right for value in range(-7, 8)] == [
            value == plain.value for value in range(-7, 8)
        ], seed
        best = next(i for i, child in enumerate(tree["children"], 1) if minimax(child) == plain.value)
        moves = range(1, len(tree["children"]) + 1)
        assert [quiz.grade("move", str(move)).right for move in moves] == [move == best for move in moves], seed
        if quiz.marked is None:
            continue
        alpha, beta = plain.windows[tuple(step.move for step in quiz.marked.path[1:])]
        assert quiz.grade("window", f"{alpha} {beta}").right, seed
        assert not quiz.grade("window", f"{max(alpha, -99) + 1} {beta}").right, seed
        assert not quiz.grade("window", f"({alpha}, {min(beta, 99) - 1})").right, seed
        *_, entry = quiz.why("window")
        assert quiz.events[entry.number - 1].kind == "enter", f"seed {seed}: nothing after the entry made the window"


def minimax(tree: Any) -> float:
    """Minimax by its definition."""
    if not isinstance(tree, dict):
        return tree
    return (max if tree["player"] == "max" else min)(map(minimax, tree["children"]))


@given(tree=oracle.trees(oracle.real_leaves), strict=st.booleans())
@example(tree={"player": "max", "children": [999999.5]}, strict=False)  # drawn as 1e+06
@example(  # drawn with the window (0-, 0)
    tree={
        "player": "min",
        "children": [0, {"player": "max", "children": [-1e-12, {"player": "min", "children": [5]}]}],
    },
    strict=True,
)
def test_the_right_answers_are_right_and_have_their_reasons(tree: Any, strict: bool) -> None:
    quiz = quiz_about(Tree.from_json(tree), strict=strict)
    for question in quiz.questions:
        grade = quiz.grade(question.name, quiz.answer(question.name))
        assert grade.right
        assert grade.remarks == ()
        assert all(step.sentence == sentence(quiz.searched, quiz.events[step.number - 1])
                   for step in quiz.why(question.name))  # fmt: skip


# RED-BLUE ------------------------------------------------------------------------------------------------------------


def test_red_blue_is_number_one() -> None:
    quiz = quiz_number(1)
    assert quiz.game == RedBlue()
    assert quiz.title == "Quiz 1: RED-BLUE"
    assert {question.name: quiz.answer(question.name) for question in quiz.questions} == {
        "value": "-3", "pruned": "g h", "window": "(-∞, -3)", "move": "B",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "given", "text", "step"),
    [
        ("value", "6", "The value is not 6.", "The root (Min) returns -3."),
        (
            "move",
            "r",
            "R is not the right move.",
            "At the root (Min): B is the best so far, with -3; the window is now (-∞, -3).",
        ),
        ("pruned", "f g h", "f (R B R) is looked at.", "Leaf R B R: the game is over, score -2."),
        (
            "pruned",
            "none",
            "g (R R B) and h (R R R) are never looked at.",
            "Cut at R (Max): alpha -2 > beta -3: Min already has -3, so will not come here; R is left out.",
        ),
        (
            "window",
            "(-inf, inf)",
            "Beta is not ∞.",
            "At the root (Min): B is the best so far, with -3; the window is now (-∞, -3).",
        ),
        ("window", "-5 -3", "Alpha is not -5.", "Enter R B (Min) with the window (-∞, -3)."),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_told_the_step_that_shows_why(name: str, given: str, text: str, step: str) -> None:
    quiz = quiz_number(1)
    grade = quiz.grade(name, given)
    assert not grade.right
    assert [(remark.text, remark.step.sentence) for remark in grade.remarks] == [(text, step)]
    assert sentence(quiz.searched, quiz.events[grade.remarks[0].step.number - 1]) == step


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pruned", "G,H"),
        ("pruned", "h g h"),
        ("window", "[−∞; -3]"),
        ("window", "(-inf, -3)"),
        ("value", " -3.0 "),
        ("move", "b"),
    ],
)
def test_answers_may_be_written_in_several_ways(name: str, text: str) -> None:
    assert quiz_number(1).grade(name, text).right


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("value", "three", "'three' is not a number, such as 3 or -inf"),
        ("value", "nan", "'nan' is not a number, such as 3 or -inf"),
        ("pruned", "g z", "'z' is not a leaf; leaves are a b … h, or answer none"),
        ("window", "3", "'3' is not a window: give alpha and beta, such as -inf 3"),
        ("move", "X", "'X' is not a move at the root; moves are B, R"),
        ("depth", "3", "'depth' is not a question of this quiz; it asks value, pruned, window and move"),
    ],
)
def test_what_is_no_answer_is_refused(name: str, text: str, message: str) -> None:
    with pytest.raises(QuizError) as caught:
        quiz_number(1).grade(name, text)
    assert str(caught.value) == message


def test_the_rule_in_force_is_part_of_the_quiz() -> None:
    assert quiz_number(6).rule == "Cut rule: alpha ≥ beta: a tie is cut"
    assert quiz_number(7).rule == "Cut rule: alpha > beta (strict): a tie is not cut"
    assert quiz_number(6).pruned > quiz_number(7).pruned  # one tree, two rules
    assert quiz_number(6).to_json()["tree"] == quiz_number(7).to_json()["tree"]


def test_the_quiz_for_programs_does_not_tell_answers() -> None:
    quiz = quiz_number(3)
    report = quiz.to_json()
    assert json.loads(json.dumps(report)) == report
    assert set(report) == {"title", "recipe", "rule", "strict", "tree", "marked", "leaves", "questions"}
    assert [question["name"] for question in report["questions"]] == list(QUESTIONS)
    text = json.dumps(report["tree"])
    assert text.count('"marked": true') == 1
    assert "window" not in text
    assert "cut" not in text


def test_there_is_no_question_about_a_window_where_only_the_root_has_one() -> None:
    quiz = quiz_about(Tree.from_lists([3, 5]))
    assert [question.name for question in quiz.questions] == ["value", "pruned", "move"]
    assert quiz.answer("pruned") == "none"


# Wishes --------------------------------------------------------------------------------------------------------------


def shape(quiz: Quiz) -> tuple[int, set[int]]:
    """How deep the tree is, and how many moves its nodes have."""
    visits = list(quiz.whole.visits.values())
    return max(visit.ply for visit in visits), {len(visit.children) for visit in visits if visit.children}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(),
        Wishes(depth=1, branching=9, cuts=0),
        Wishes(depth=2, branching=3, cuts=2, ties=False),
        Wishes(depth=3, branching=3, cuts=4, inner=True, first="min"),
        Wishes(depth=4, branching=2, cuts=2, deep=True, ties=False),
        Wishes(depth=4, branching=3, cuts=5, deep=True, inner=True, ties=True),
        Wishes(depth=4, branching=3, cuts=2, ragged=True, inner=True),
    ],
)
def test_a_tree_is_as_wished(wishes: Wishes, strict: bool) -> None:
    for seed in range(10):
        quiz = random_quiz(seed, wishes, strict=strict)
        found = cuts(quiz.searched)
        values = [leaf.value for leaf in quiz.leaves.values()]
        depth, widths = shape(quiz)
        assert depth == wishes.depth
        assert max(widths) <= wishes.branching if wishes.ragged else widths == {wishes.branching}
        assert quiz.whole.role(quiz.root.player).lower() == wishes.first
        assert len(found) >= wishes.cuts
        assert any(cut.inner for cut in found) or not wishes.inner
        assert any(cut.deep for cut in found) or not wishes.deep
        if wishes.ties is False:
            assert len(set(values)) == len(values)
        if wishes.ties is True:
            assert quiz.pruned != random_tree_under_the_other_rule(quiz).pruned


def random_tree_under_the_other_rule(quiz: Quiz) -> Quiz:
    return quiz_about(quiz.game, strict=not quiz.searched.strict)


def test_a_deep_cut_is_one_that_the_opponents_last_node_does_not_explain() -> None:
    # Max has 5 on the left.  On the right Min has nothing yet, Max below it neither, and the second Min gets 4:
    # the 9 beside it is not looked at because of the 5 at the root, three plies up.
    [cut] = cuts(quiz_about(Tree.from_lists([5, [[[4, 9], 6], 7]])).searched)[:1]
    assert (cut.deep, cut.inner) == (True, False)
    # Here Max between them has 5 itself.
    [cut] = cuts(quiz_about(Tree.from_lists([[5, [4, 9]]], first="min")).searched)
    assert (cut.deep, cut.inner) == (False, False)
    # Max has 5 at the root and 3 below: either would do.
    [cut] = cuts(quiz_about(Tree.from_lists([5, [[3, [2, 9]], 7]])).searched)[:1]
    assert not cut.deep


def test_a_cut_of_an_inner_node() -> None:
    [cut] = cuts(quiz_number(1).searched)
    assert cut.inner
    assert not cut.deep


@pytest.mark.parametrize("seed", [0, 1, 2**53 - 1])
def test_the_same_seed_gives_the_same_quiz(seed: int) -> None:
    wishes = Wishes(depth=4, cuts=2)
    first, second = random_quiz(seed, wishes), random_quiz(seed, wishes)
    assert first.to_json() == second.to_json()
    assert first.to_json() != random_quiz(seed + 1, wishes).to_json()


def test_a_seed_means_the_same_tree_everywhere() -> None:
    """Known values: a printed sheet must stay what it is."""
    quiz = random_quiz(7, Wishes(depth=3, branching=2, cuts=2, ties=False))
    assert [leaf.value for leaf in quiz.leaves.values()] == [-7, -6, -2, 7, -5, 3, 4, -1]


def test_a_recipe_makes_the_quiz_again() -> None:
    wishes = Wishes(depth=4, branching=2, cuts=2, ties=True)
    tree = quiz_of({"tree": "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", "strict": True})
    for quiz in (quiz_number(1), quiz_number(7), random_quiz(3, wishes, strict=True), tree):
        again = quiz_of(json.loads(json.dumps(quiz.to_json()["recipe"])))
        assert again.to_json() == quiz.to_json()
        assert again.pruned == quiz.pruned


def test_the_series_can_be_answered_by_hand() -> None:
    sizes = [len(quiz_number(number).leaves) for number in range(1, len(TITLES) + 1)]
    assert len(TITLES) == len(SERIES) + 1 == len(set(TITLES))
    assert max(sizes) <= 40


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ({}, "needs exactly one of number, seed and tree"),
        ({"number": 1, "seed": 2}, "needs exactly one of number, seed and tree"),
        ({"number": 99}, "there is no quiz number 99: numbers are 1 to 9"),
        ({"number": True}, "there is no quiz number True"),
        ({"seed": -1}, "seed=-1 must be a whole number"),
        ({"seed": 1, "strict": "no"}, "strict='no' must be true or false"),
        ({"seed": 1, "wishes": []}, "wishes=[] must be an object"),
        ({"seed": 1, "wishes": {"height": 3}}, "wishes cannot have 'height'; there are: depth, branching"),
        ({"seed": 1, "wishes": {"depth": "3"}}, "depth='3' must be a whole number from 1 to 7"),
        ({"seed": 1, "wishes": {"depth": True}}, "depth=True must be a whole number"),
        ({"seed": 1, "wishes": {"deep": 1}}, "deep=1 must be true or false"),
        ({"seed": 1, "wishes": {"ties": "some"}}, "ties must be true, false or null"),
        ({"seed": 1, "wishes": {"first": "white"}}, "first='white' must be max or min"),
        ({"seed": 1, "wishes": {"depth": 6, "branching": 4}}, "make 4096 leaves; at most 250 can be drawn"),
        ({"seed": 1, "wishes": {"depth": 3, "deep": True}}, "depth 3 is too small for a deep cut: it must be 4"),
        ({"seed": 1, "wishes": {"depth": 2, "inner": True}}, "too small for a cut of an inner node"),
        ({"seed": 1, "wishes": {"branching": 1}}, "with one move per node nothing can be cut"),
        ({"seed": 1, "wishes": {"depth": 2, "cuts": 30}}, "none of 3000 random trees fits"),
        ({"tree": ["not", "text"]}, "tree must be a text"),
        ({"tree": "[3, []]"}, "the list is empty"),
        ({"tree": "[3, "}, "this is not a tree"),
        ({"tree": "[" * 100_000}, "this is not a tree"),
        ({"tree": "[[3, 4]" + ", 5" * 300 + "]"}, "more than 250 leaves"),
        ({"tree": "[" * 40 + "3" + "]" * 40}, "deeper than 30 plies"),
        ({"tree": "3"}, "this is not a tree"),
    ],
)  # fmt: skip
def test_what_is_no_recipe_is_refused(recipe: dict[str, Any], message: str) -> None:
    with pytest.raises((QuizError, GameError, SearchError)) as caught:
        quiz_of(recipe)
    assert message in str(caught.value)


# Other games ---------------------------------------------------------------------------------------------------------


def test_a_position_of_any_game_can_be_asked_about() -> None:
    quiz = quiz_about(TicTacToe(), "XO./.X./..O", depth=2)
    assert quiz.grade("value", quiz.answer("value")).right
    assert quiz.title == "Tic-tac-toe, position XO./.X./..O"
    with pytest.raises(QuizError, match="more than 250 leaves: choose a smaller depth"):
        quiz_about(TicTacToe())
    with pytest.raises(PositionError):
        quiz_about(TicTacToe(), "nonsense")
    with pytest.raises(QuizError, match="not a zero-sum game for two players"):
        quiz_about(DogCatMouse())
    with pytest.raises(QuizError, match="chance moves in Pig"):
        quiz_about(Pig(), depth=2)


def test_a_node_that_is_reached_in_two_ways_has_leaves_in_both_places() -> None:
    tree = Tree.from_json(
        {
            "player": "max",
            "children": [{"name": "B", "player": "min", "children": [3, 5]}, {"ref": "B", "move": "again"}],
        }
    )
    quiz = quiz_about(tree)
    assert list(quiz.leaves) == ["a", "b", "c", "d"]
    assert quiz.answer("pruned") == "d"


def test_every_leaf_shows_its_letter_where_some_moves_look_like_letters() -> None:
    """Moves called a, b and c at every node are the letters of the first leaves alone."""
    leaves = [{"move": move, "value": 1} for move in "abc"]
    children = [{"move": move, "player": "min", "children": leaves} for move in "abc"]
    quiz = quiz_about(Tree.from_json({"player": "max", "children": children}))
    assert list(quiz.leaves) == list("abcdefghi")
    drawn = [line.content.plain.split()[-1] for line in bare_drawing(quiz) if line.visit in quiz.leaves.values()]
    assert drawn == list(quiz.leaves)
    marks = {node.mark for node in bare_figure(quiz).nodes}
    assert marks > set(quiz.leaves)
    assert quiz.label("a") == "a (a a)"


def test_a_tree_without_names_has_the_letters_of_its_leaves_everywhere() -> None:
    given = Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    quiz = quiz_about(given, strict=True)
    assert quiz.is_lettered
    assert quiz.question("window").text.endswith("enter the marked node, D?")
    assert quiz.question("move").form == "one of B, C, D"
    assert quiz.why("pruned")[0].sentence.startswith("Cut at C (Min): alpha 3 > beta 2")
    assert quiz.why("pruned")[0].sentence.endswith("e and f are left out.")
    assert {text.text for edge in solved_figure(quiz).edges for text in edge.texts} > set("BCDabcdefghi")
    assert quiz.to_tree() is given


def test_names_stay_where_they_are_not_the_letters_of_the_leaves() -> None:
    quiz = quiz_about(Tree.from_json({"player": "max", "children": [3, {"name": "a", "value": 5}]}))
    assert quiz.question("move").form == "one of 1, a"
    assert quiz.label("a") == "a (1)"
    assert quiz_about(Tree.from_lists([[3, 12], [2, 4]]), depth=1).question("move").form == "one of 1, 2"
