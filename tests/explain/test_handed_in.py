"""Files of answers are graded against the teacher's quiz; what is no such file is refused with a sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plywise.errors import QuizError
from plywise.explain import marks, quiz_about, quiz_number, quiz_of
from plywise.games import Tree

ANSWERS = {"value": "-3", "pruned": "h g", "window": "-inf -3", "move": "b"}


def handed_in(**parts: Any) -> str:
    return json.dumps({"name": "Ada", "recipe": {"number": 1}, "answers": ANSWERS} | parts)


def test_every_answer_is_graded_and_a_missing_one_is_wrong() -> None:
    assert marks(quiz_number(1), handed_in()).right == 4
    told = marks(quiz_number(1), handed_in(answers=ANSWERS | {"value": "", "move": "up", "pruned": "g"}))
    assert (told.name, told.right) == ("Ada", 1)
    assert {name: grade and grade.right for name, grade in told.grades.items()} == {
        "value": None, "pruned": False, "window": True, "move": None,
    }  # fmt: skip


def test_a_byte_order_mark_and_an_odd_name_do_no_harm() -> None:
    told = marks(quiz_number(1), b"\xef\xbb\xbf" + handed_in(name=" \x1b[31mZoë ").encode())
    assert told.name == "[31mZoë"
    assert marks(quiz_number(1), handed_in(name="")).name == "no name"


def test_the_same_tree_is_the_same_quiz_however_it_was_made() -> None:
    text = "[[3, 12], [2, 4]]"
    answers = {"value": "3"}
    assert marks(quiz_about(Tree.from_text(text)), handed_in(recipe={"tree": text}, answers=answers)).right == 1
    for move in ("B", "b", "1"):  # its letter, or its number, which files from before the letters have
        answers = {"value": "3", "move": move}
        assert marks(quiz_of({"tree": text}), handed_in(recipe={"tree": text}, answers=answers)).right == 2
    with pytest.raises(QuizError, match="answers to another quiz"):
        marks(quiz_of({"tree": text, "strict": True}), handed_in(recipe={"tree": text}, answers=answers))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it needs a name, a recipe and answers"),
        (handed_in(name=3), "it needs a name, a recipe and answers"),
        (handed_in(answers=["g"]), "it needs a name, a recipe and answers"),
        (handed_in(answers={"value": -3}), "every answer must be a text"),
        (handed_in(recipe={"number": 99}), "cannot be made: there is no quiz number 99"),
        (handed_in(recipe={"tree": "[3,"}), "cannot be made: "),
        (handed_in(recipe={"number": 2}), "answers to another quiz, not to 'Quiz 1: RED-BLUE'"),
    ],
)
def test_what_cannot_be_graded_is_told_in_words(text: str, message: str) -> None:
    with pytest.raises(QuizError) as caught:
        marks(quiz_number(1), text)
    assert message in str(caught.value)
