"""The questions of a quiz as learning platforms ask them: choices to mark, or blanks to fill, around one drawing.

``moodle`` and ``qti`` write these items; neither decides what is asked or which answers are right.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree

from plywise.explain.exercise_sheet import asked, bare_figure, facts
from plywise.explain.quiz import Name, Quiz
from plywise.explain.text import number

NONE = "none of them"
"""The choice for a search that prunes nothing."""
DRAWING = "tree.svg"
"""The name of the drawing's file."""


class Choice(NamedTuple):
    text: str
    right: bool
    hint: str = ""
    """Where to look again, if it is wrong and the only one chosen."""


class Blank(NamedTuple):
    """A number to write; a platform that compares texts needs its spellings."""

    label: str
    value: float

    @property
    def spellings(self) -> tuple[str, ...]:
        """The ways to write the number: as drawn, exactly, and with a typographic minus sign."""
        if math.isinf(self.value):
            sign = "-" if self.value < 0 else ""
            plain = [f"{sign}inf", f"{sign}∞"]
        else:
            whole = float(self.value).is_integer()
            plain = [number(self.value), f"{int(self.value)}" if whole else repr(float(self.value))]
        return tuple(dict.fromkeys(plain + [text.replace("-", "−") for text in plain]))


@dataclasses.dataclass(frozen=True)
class Item:
    """A question with either choices or blanks."""

    name: Name
    title: str
    text: str
    note: str
    """How to answer."""
    why: tuple[str, ...]
    """The steps that show the right answer."""
    choices: tuple[Choice, ...] = ()
    several: bool = False
    """Whether several choices may be right."""
    blanks: tuple[Blank, ...] = ()


def items(quiz: Quiz, names: Sequence[str] | None = None) -> list[Item]:
    """Return the questions of a quiz; ``names`` says which, default: all.

    Raises:
        QuizError: there is no such question.
    """
    found = []
    for question in asked(quiz, names):
        why = tuple(f"Step {step.number}: {step.sentence}" for step in quiz.why(question.name))
        item = Item(question.name, f"{quiz.title}, {question.name}", question.text, _NOTES[question.name], why)
        found.append(dataclasses.replace(item, **_PARTS[question.name](quiz)))
    return found


_NOTES: Mapping[Name, str] = {
    "value": "Write a number.",
    "pruned": f"Mark each of them, or “{NONE}”.",
    "window": "Write two numbers, with -inf and inf for the infinite ones.",
    "move": "Choose one.",
}


def _value(quiz: Quiz) -> dict[str, Any]:
    return {"blanks": (Blank("Value", quiz.root.value),)}


def _pruned(quiz: Quiz) -> dict[str, Any]:
    leaves = [Choice(quiz.label(letter), letter in quiz.pruned) for letter in quiz.leaves]
    return {"choices": (*leaves, Choice(NONE, not quiz.pruned)), "several": True}


def _window(quiz: Quiz) -> dict[str, Any]:
    assert quiz.marked is not None
    return {"blanks": (Blank("Alpha", quiz.marked.alpha), Blank("Beta", quiz.marked.beta))}


def _move(quiz: Quiz) -> dict[str, Any]:
    moves = [quiz.whole.move_text(quiz.root, child.move) for child in quiz.root.children]
    grades = [quiz.grade("move", move) for move in moves]
    return {"choices": tuple(Choice(grade.given, grade.right, grade.hint) for grade in grades)}


_PARTS = {"value": _value, "pruned": _pruned, "window": _window, "move": _move}


# What all items of a quiz share --------------------------------------------------------------------------------------


def drawing(quiz: Quiz) -> bytes:
    """Return the bare tree as an SVG file."""
    return bare_figure(quiz).svg().encode()


def preamble(quiz: Quiz) -> str:
    """Return the sentences above the drawing: the rule, and how to read the tree."""
    return " ".join([*facts(quiz), "Alpha-beta starts with the window (-∞, ∞) and tries moves from left to right."])


def described(quiz: Quiz) -> str:
    """Return the tree in words, for readers who cannot see the drawing.

    >>> from plywise.explain import quiz_of
    >>> described(quiz_of({"tree": "[[3, 12], [2, 4]]"}))
    'Max [B: Min [a: leaf a 3, b: leaf b 12], C: Min, marked [c: leaf c 2, d: leaf d 4]]'
    """
    return _described(quiz.to_json()["tree"])


def _described(node: Mapping[str, Any]) -> str:
    move = "" if node["move"] is None else f"{node['move']}: "
    if "leaf" in node:
        return f"{move}leaf {node['leaf']} {number(node['value'])}"
    marked = ", marked" if node["marked"] else ""
    return f"{move}{node['player']}{marked} [{', '.join(map(_described, node['children']))}]"


def document(root: ElementTree.Element) -> str:
    """Return a complete XML document."""
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'
