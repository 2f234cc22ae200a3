"""A quiz on paper: the sheet with the questions and the sheet with the answers, as HTML, SVG or TikZ.

The tree is a figure like any other.  SVG and TikZ have the words around it in the figure, HTML has them in its text.
"""

from __future__ import annotations

from html import escape
from typing import Literal, get_args

from plywise.errors import QuizError
from plywise.explain.figure import Figure, figure
from plywise.explain.quiz import Question, Quiz

Form = Literal["html", "svg", "tex"]

MARK = "?"
"""Stands beside the marked node."""


def bare_figure(quiz: Quiz) -> Figure:
    """Return the tree without anything that an answer could be read from; leaves have their letters."""
    return figure(quiz.whole, notation="blank", captions=False, boards=False, marks=_marks(quiz))


def solved_figure(quiz: Quiz) -> Figure:
    """Return the tree as alpha-beta searched it, with windows and what was cut off and why."""
    marked = {} if quiz.marked is None else {quiz.marked.number: MARK}
    return figure(quiz.searched, captions=False, boards=False, marks=marked)


def _marks(quiz: Quiz) -> dict[int, str]:
    """Return the letters of leaves, where their moves do not say them already, and the mark, by visits."""
    marks = {
        leaf.number: letter for letter, leaf in quiz.leaves.items() if quiz.label(letter) != letter
    }
    return marks | {visit.number: MARK for visit in quiz.whole.visits.values() if quiz.is_marked(visit)}
