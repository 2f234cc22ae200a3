"""A quiz to print: a sheet with the questions and a sheet with the answers, as HTML, SVG or TikZ.

The tree is a figure like any other.  In SVG and TikZ the text around it is part of the figure, in HTML it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal, get_args

from plywise.errors import QuizError
from plywise.explain.figure import Figure, figure, worded
from plywise.explain.quiz import Question, Quiz, Step

SheetForm = Literal["html", "svg", "tex"]

NODE_MARK = "?"
"""Drawn beside the marked node."""
LINE = "_" * 28
"""Room for a handwritten answer."""


def sheet(quiz: Quiz, form: str, *, answers: bool = False, names: Sequence[str] | None = None) -> str:
    """Return a quiz to print.

    Args:
        quiz: the quiz to print.
        form: ``html``, ``svg`` or ``tex`` (a LaTeX document that draws with TikZ).
        answers: return the teacher's sheet: the searched tree, the answers, and the steps that show them.
        names: which questions to ask; default: all.

    Raises:
        QuizError: there is no such format or question.

    >>> from plywise.explain import quiz_number
    >>> print(sheet(quiz_number(1), "html")[:15])
    <!doctype html>
    """
    if form not in get_args(SheetForm):
        raise QuizError(f"there is no sheet format {form!r}; there are: {', '.join(get_args(SheetForm))}")
    questions = asked(quiz, names)
    if form == "html":
        return _html(quiz, questions, answers)
    drawn = solved_figure(quiz) if answers else bare_figure(quiz)
    around = worded(drawn, _title(quiz, answers), facts(quiz), _lines(quiz, questions, answers))
    return around.svg() if form == "svg" else around.tikz(document=True)


def asked(quiz: Quiz, names: Sequence[str] | None) -> list[Question]:
    """Return the questions of these names; default: all.

    Raises:
        QuizError: there is no such question.
    """
    return [quiz.question(name) for name in names or [question.name for question in quiz.questions]]


def bare_figure(quiz: Quiz) -> Figure:
    """Return the tree without anything that gives an answer away; leaves have their letters."""
    return figure(quiz.whole, notation="blank", captions=False, marks=_marks(quiz))


def solved_figure(quiz: Quiz) -> Figure:
    """Return the tree as alpha-beta searched it, with windows, cuts and their reasons."""
    marked = {} if quiz.marked is None else {quiz.marked.number: NODE_MARK}
    return figure(quiz.searched, captions=False, marks=marked)


def _marks(quiz: Quiz) -> dict[int, str]:
    """Return by visit the letters of the leaves, unless the moves are these letters, and the mark."""
    letters = {} if quiz.is_lettered else {leaf.number: letter for letter, leaf in quiz.leaves.items()}
    return letters | {visit.number: NODE_MARK for visit in quiz.whole.visits.values() if quiz.is_marked(visit)}


# Words ---------------------------------------------------------------------------------------------------------------


def _title(quiz: Quiz, answers: bool) -> str:
    return f"{quiz.title}{', answers' if answers else ''}"


def facts(quiz: Quiz) -> list[str]:
    """Return the rule for ties, and how to read the drawing."""
    marked = [] if quiz.marked is None else [f"{NODE_MARK} is the marked node."]
    return [f"{quiz.rule}.", " ".join(["Triangles up are Max, triangles down are Min.", *marked])]


def _lines(quiz: Quiz, questions: Sequence[Question], answers: bool) -> list[str]:
    """Return the questions, each with room for an answer, or with the answer and the steps that show it."""
    lines = []
    for number, question in enumerate(questions, 1):
        lines.append(f"{number}. {question.text}  {quiz.answer(question.name) if answers else LINE}")
        if answers:
            lines += [_step(step) for step in quiz.why(question.name)]
        lines.append("")
    return lines[:-1]


def _step(step: Step) -> str:
    return f"Step {step.number}: {step.sentence}"


# HTML ----------------------------------------------------------------------------------------------------------------

STYLE = """
  :root { color-scheme: light dark; }
  body { font: 11pt/1.5 system-ui, "Segoe UI", Roboto, Arial, sans-serif; max-width: 60rem; margin: 2rem auto;
    padding: 0 1rem; background: #fff; color: #1f2933; }
  h1 { font-size: 1.4em; margin: 0 0 .5em; }
  .who { float: right; }
  .rule { font-weight: 600; }
  figure { margin: 1.5em 0; overflow-x: auto; }
  figure svg { max-width: 100%; height: auto; }
  li { margin-bottom: 1.2em; break-inside: avoid; }
  .room { display: block; height: 2.2em; border-bottom: 1px solid; max-width: 30em; }
  .why { font-size: .9em; margin: .2em 0 0; padding-left: 1.2em; }
  .why li { margin: 0; }
  @media screen and (prefers-color-scheme: dark) { body { background: #14181d; color: #e6eaf0; } }
  @page { margin: 18mm; }
  @media print { body { margin: 0; padding: 0; } }
"""


def _html(quiz: Quiz, questions: Sequence[Question], answers: bool) -> str:
    drawn = solved_figure(quiz) if answers else bare_figure(quiz)
    rule, reading = facts(quiz)
    return "\n".join([
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(_title(quiz, answers))}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        "" if answers else '<p class="who">Name: ____________________</p>',
        f"<h1>{escape(_title(quiz, answers))}</h1>",
        f'<p class="rule">{escape(rule)}</p>',
        f"<p>{escape(reading)}</p>",
        f"<figure>{drawn.svg()}</figure>",
        "<ol>",
        *(_item(quiz, question, answers) for question in questions),
        "</ol>",
        "</body>",
        "</html>",
        "",
    ])  # fmt: skip


def _item(quiz: Quiz, question: Question, answers: bool) -> str:
    if not answers:
        return f'<li>{escape(question.text)}<span class="room"></span></li>'
    steps = "".join(f"<li>{escape(_step(step))}</li>" for step in quiz.why(question.name))
    return (
        f"<li>{escape(question.text)} <strong>{escape(quiz.answer(question.name))}</strong>"
        f'<ul class="why">{steps}</ul></li>'
    )
