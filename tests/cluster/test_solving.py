"""A position solved by a lead and its helpers: their answers are true; a stop is never undone, and never an answer."""

from __future__ import annotations

from typing import Any

import pytest

import plywise as pw
from plywise.cluster.bench import Desk
from plywise.cluster.executor import Executor
from plywise.cluster.solving import lead
from plywise.cluster.tools import ANSWER, QUESTION, Answers, Solver
from plywise.errors import Stopped
from plywise.game import sign
from plywise.games import ConnectFour
from tests.cluster.conftest import Help
from tests.oracle import value_of

GAME = ConnectFour(4, 4)
WORKERS = 3


@pytest.mark.parametrize("text", ["", "1", "12", "1223"])
def test_a_lead_that_waits_for_helpers_gets_true_answers(executor: Executor, help_given: Help, text: str) -> None:
    value = value_of(GAME, GAME.parse(text)) * sign(GAME.to_move(GAME.parse(text)))
    pw.solve(GAME, text, executor=executor)
    help_given.check(lambda depth: value)
    assert help_given.checked
    assert help_given.notes


@pytest.mark.parametrize("known", [False, True])
def test_a_lead_that_is_stopped_between_two_questions_asks_no_more(known: bool) -> None:
    """Even if the answer to the question is known."""
    questions: list[Any] = []

    def report(message: Any) -> None:
        kind, *rest = message
        if kind == QUESTION:
            questions.append(rest)
            if known:
                desk.tell((ANSWER, (rest[1], None), rest[1]))
            desk.stop()

    desk = Desk(report)
    with pw.interpreted():
        desk.tools = Solver(GAME, 1.0, GAME.format(GAME.initial()), 1.0)
        with pytest.raises(Stopped):
            lead(desk, weak=False, all_moves=False)
    assert len(questions) == 1


def test_a_stop_is_no_answer() -> None:
    stopped = False
    with pw.interpreted():
        answers = Answers(Solver(GAME, 1.0, GAME.format(GAME.initial()), 1.0), lambda: stopped)

    def search() -> None:
        answers.take((ANSWER, "question", 1))
        raise Stopped

    assert answers.ask("question", search) == 1
    answers.known.clear()
    stopped = True
    with pytest.raises(Stopped):
        answers.ask("question", search)
