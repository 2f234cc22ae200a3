"""The API of the Quiz room: make a quiz from a recipe, grade an answer, give the solution.

The server stores nothing about clients.  Every request contains the recipe, which makes the same quiz again.  A page
that was opened by a link for students says so in every request, and gets nothing that tells a right answer.
"""

from __future__ import annotations

import dataclasses
import json
from collections import OrderedDict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field, StrictBool, StrictInt, StrictStr

from plywise.errors import QuizError
from plywise.explain import Marks, Quiz, Wishes, marks, moodle_xml, qti_package, quiz_of
from plywise.explain.exercise_sheet import bare_figure, sheet, solved_figure
from plywise.explain.figure import DrawnEdge, DrawnNode, Figure, Text
from plywise.explain.quiz import MOST_LEAVES
from plywise.explain.wishes import MOST_BRANCHING, MOST_DEPTH, TITLES
from plywise.web.bodies import Body, while_wanted

LONGEST_TREE = 50_000
"""The most characters in the text of a tree: many times what the largest tree needs."""
LONGEST_ANSWER = 4 * MOST_LEAVES + 100
LONGEST_FILE = 4 * LONGEST_TREE
"""The most characters in a file of answers, which contains the tree."""
SECONDS = 10.0
"""The time limit for finding a random tree that fits, or for parsing one."""
REMEMBERED = 200
"""How many quizzes to cache."""

router = APIRouter(prefix="/api/quiz", tags=["quiz"])


class WishesModel(Body):
    """The properties of a random tree, as in ``plywise.explain.Wishes``."""

    depth: StrictInt = Field(3, ge=1, le=MOST_DEPTH)
    branching: StrictInt = Field(2, ge=1, le=MOST_BRANCHING)
    cuts: StrictInt = Field(1, ge=0, le=MOST_LEAVES)
    inner: StrictBool = False
    deep: StrictBool = False
    ties: StrictBool | None = None
    ragged: StrictBool = False
    first: Literal["max", "min"] = "max"


class Recipe(Body):
    """What a quiz is made from: a number of the series, a seed with wishes, or the text of a tree."""

    number: StrictInt | None = Field(None, ge=1, le=len(TITLES))
    seed: StrictInt | None = Field(None, ge=0, lt=1 << 53)
    wishes: WishesModel | None = None
    tree: Annotated[StrictStr, Field(max_length=LONGEST_TREE)] | None = None
    strict: StrictBool | None = None


class Asked(Body):
    recipe: Recipe
    students: StrictBool = False
    """Whether the quiz was opened by a link without the solution."""


class Answered(Asked):
    question: Literal["value", "pruned", "window", "move"]
    answer: StrictStr = Field(max_length=LONGEST_ANSWER)
    reasons: StrictBool = False
    """Whether to tell the mistakes and the steps that show them, and not only a hint."""


class Printed(Asked):
    answers: StrictBool = False


class Exported(Asked):
    form: Literal["json", "test"]


class ForPlatform(Asked):
    form: Literal["moodle", "qti"]


class HandedIn(Asked):
    text: StrictStr = Field(max_length=LONGEST_FILE)
    """A file of answers, as the page writes it for students."""


@router.get("")
async def series() -> dict[str, Any]:
    """List the quizzes of the series, and the options of random trees."""
    return {
        "series": [{"number": number, "title": title} for number, title in enumerate(TITLES, 1)],
        "wishes": dataclasses.asdict(Wishes()),
        "most": {"depth": MOST_DEPTH, "branching": MOST_BRANCHING, "leaves": MOST_LEAVES},
    }


@router.post("/new")
async def new(request: Request, asked: Asked) -> dict[str, Any]:
    """Return a quiz with its drawing, without answers."""
    quiz = await _quiz(request, asked.recipe)
    return await run_in_threadpool(lambda: quiz.to_json() | {"drawing": drawn(bare_figure(quiz), quiz)})


@router.post("/grade")
async def grade(request: Request, answered: Answered) -> dict[str, Any]:
    """Grade an answer; if it is wrong, return a hint, and if the reasons are wanted the steps that show why."""
    _check_teacher(answered)
    quiz = await _quiz(request, answered.recipe)
    told = quiz.grade(answered.question, answered.answer).to_json()
    return told if answered.reasons else told | {"remarks": []}


@router.post("/solution")
async def solution(request: Request, asked: Asked) -> dict[str, Any]:
    """Return all answers with their reasons, and the tree as alpha-beta searched it."""
    _check_teacher(asked)
    quiz = await _quiz(request, asked.recipe)
    return await run_in_threadpool(_solution, quiz)


def _solution(quiz: Quiz) -> dict[str, Any]:
    answers = {
        question.name: {
            "answer": quiz.answer(question.name),
            "why": [step._asdict() for step in quiz.why(question.name)],
        }
        for question in quiz.questions
    }
    return {"answers": answers, "drawing": drawn(solved_figure(quiz))}


@router.post("/sheet")
async def printed(request: Request, asked: Printed) -> dict[str, str]:
    """Return a printable quiz, as an HTML document."""
    if asked.answers:
        _check_teacher(asked)
    quiz = await _quiz(request, asked.recipe)
    return {"html": await run_in_threadpool(sheet, quiz, "html", answers=asked.answers)}


@router.post("/tree")
async def exported(request: Request, asked: Exported) -> dict[str, str]:
    """Return the tree, as JSON or in Berkeley's format."""
    tree = (await _quiz(request, asked.recipe)).to_tree()
    text = tree.to_berkeley("AlphaBetaAgent") if asked.form == "test" else json.dumps(tree.to_json(), indent=2) + "\n"
    return {"text": text}


@router.post("/questions")
async def questions(request: Request, asked: ForPlatform) -> Response:
    """Return the questions with their answers for a learning platform: as Moodle XML, or as a QTI 2.1 package."""
    _check_teacher(asked)
    quiz = await _quiz(request, asked.recipe)
    if asked.form == "moodle":
        return Response(await run_in_threadpool(moodle_xml, quiz), media_type="application/xml")
    return Response(await run_in_threadpool(qti_package, quiz), media_type="application/zip")


@router.post("/marks")
async def graded(request: Request, handed_in: HandedIn) -> dict[str, Any]:
    """Grade a file of answers that a student handed in."""
    _check_teacher(handed_in)
    quiz = await _quiz(request, handed_in.recipe)
    work = request.app.state.workers.run(marks, quiz, handed_in.text, seconds=SECONDS)  # it makes the file's quiz
    told: Marks = await while_wanted(request, work)
    return told.to_json()


def _check_teacher(asked: Asked) -> None:
    """Refuse what tells right answers to a page for students.

    A grade tells them too: with enough tries, "right" and "wrong" give every answer away.
    """
    if asked.students:
        raise QuizError("this quiz was opened by a link without the solution: your teacher has the answers")


# Making and keeping quizzes ------------------------------------------------------------------------------------------


async def _quiz(request: Request, asked: Recipe) -> Quiz:
    """Return the quiz of a recipe, from the cache or newly made, in a worker process if that may take long."""
    recipe = asked.model_dump(exclude_none=True)
    if asked.wishes is not None:
        recipe["wishes"] = asked.wishes.model_dump()
    kept, key = _kept(request), json.dumps(recipe, sort_keys=True)
    if key in kept:
        kept.move_to_end(key)
        return kept[key]
    if asked.number is None:
        made: Quiz = await while_wanted(request, request.app.state.workers.run(quiz_of, recipe, seconds=SECONDS))
    else:
        made = await run_in_threadpool(quiz_of, recipe)
    kept[key] = made
    while len(kept) > REMEMBERED:
        kept.popitem(last=False)
    return made


def _kept(request: Request) -> OrderedDict[str, Quiz]:
    """Return the cached quizzes, least recently used first."""
    state = request.app.state
    if not hasattr(state, "quizzes"):
        state.quizzes = OrderedDict()
    quizzes: OrderedDict[str, Quiz] = state.quizzes
    return quizzes


# Drawings for the page -----------------------------------------------------------------------------------------------


def drawn(figure: Figure, quiz: Quiz | None = None) -> dict[str, Any]:
    """Return a figure as shapes, lines and texts with coordinates; for a quiz, with the letters of leaves."""
    letters: dict[int | None, str] = {}
    if quiz is not None:
        letters = {leaf.number: letter for letter, leaf in quiz.leaves.items()}
    return {
        "width": round(figure.width, 1),
        "height": round(figure.height, 1),
        "nodes": [_node(node, letters.get(node.visit), quiz is not None) for node in figure.nodes],
        "edges": [_edge(edge) for edge in figure.edges],
    }


def _node(node: DrawnNode, letter: str | None, asked: bool) -> dict[str, Any]:
    return {
        "shape": node.shape,
        "outline": _points(node.outline),
        "texts": [_text(text) for text in node.texts],
        "ghost": node.ghost,
        "best": node.best,
        "leaf": letter,
        "marked": asked and letter is None and bool(node.mark),
    }


def _edge(edge: DrawnEdge) -> dict[str, Any]:
    return {
        "line": _points(edge.points),
        "way": edge.way,
        "best": edge.best,
        "strokes": [_points(stroke) for stroke in edge.strokes],
        "texts": [_text(text) for text in edge.texts],
    }


def _text(text: Text) -> dict[str, Any]:
    return {**text._asdict(), "x": round(text.x, 1), "y": round(text.y, 1)}


def _points(points: Any) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
