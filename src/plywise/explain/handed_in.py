"""Answers that students hand in as files, and their grades.

Students who open a quiz by its link without the solution download such a file.  It is JSON: a name, the recipe of
the quiz, and a text for each answer.  The teacher's quiz grades it; a file about another quiz is refused.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from plywise.errors import PlywiseError, QuizError
from plywise.explain.quiz import Grade, Name, Quiz
from plywise.explain.wishes import quiz_of

LONGEST_NAME = 200


@dataclasses.dataclass(frozen=True)
class Marks:
    """How well someone answered a quiz."""

    name: str
    grades: Mapping[Name, Grade | None]
    """By question; None if there is no answer, or none that can be read."""

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(grade is not None and grade.right for grade in self.grades.values())

    def to_json(self) -> dict[str, Any]:
        grades = {name: None if grade is None else grade.to_json() for name, grade in self.grades.items()}
        return {"name": self.name, "right": self.right, "of": len(self.grades), "grades": grades}


def marks(quiz: Quiz, text: str | bytes) -> Marks:
    """Grade a file of answers.

    Raises:
        QuizError: the text is not such a file, or its answers are about another quiz.

    >>> from plywise.explain import quiz_number
    >>> handed_in = '{"name": "Ada", "recipe": {"number": 1}, "answers": {"value": "-3", "pruned": "h"}}'
    >>> marks(quiz_number(1), handed_in).right
    1
    """
    name, recipe, answers = _read(text)
    try:
        same = _asks(quiz_of(recipe)) == _asks(quiz)
    except PlywiseError as error:
        raise QuizError(f"the quiz of these answers cannot be made: {error}") from None
    if not same:
        raise QuizError(f"these are answers to another quiz, not to {quiz.title!r}")
    return Marks(name, {question.name: _grade(quiz, question.name, answers) for question in quiz.questions})


def _read(text: str | bytes) -> tuple[str, Mapping[str, Any], Mapping[str, str]]:
    """Return the name, the recipe and the answers of a file."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        raise QuizError("this is not a file of answers: it is not JSON") from None
    parts = [read.get(part) for part in ("name", "recipe", "answers")] if isinstance(read, dict) else [None] * 3
    name, recipe, answers = parts
    if not isinstance(name, str) or not isinstance(recipe, dict) or not isinstance(answers, dict):
        raise QuizError("this is not a file of answers: it needs a name, a recipe and answers")
    if not all(isinstance(answer, str) for answer in answers.values()):
        raise QuizError("this is not a file of answers: every answer must be a text")
    printable = "".join(letter for letter in name if letter.isprintable())  # it goes to a terminal
    return printable.strip()[:LONGEST_NAME] or "no name", recipe, answers


def _asks(quiz: Quiz) -> tuple[Any, ...]:
    """Return what decides the right answers of a quiz."""
    told = quiz.to_json()
    return told["tree"], told["strict"], told["marked"]


def _grade(quiz: Quiz, name: Name, answers: Mapping[str, str]) -> Grade | None:
    if not answers.get(name, "").strip():
        return None
    try:
        return quiz.grade(name, answers[name])
    except QuizError:
        return None
