"""Jobs for tests; in a module of their own, because other processes must find them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

import plywise as pw
from plywise.cluster import searching, solving
from plywise.cluster.bench import Desk
from plywise.cluster.tools import Answers, Searcher, Solver, Tools
from plywise.engine.control import Control
from plywise.engine.work import NOTABLE


def engine(game: pw.Game, share: float) -> pw.Engine:
    return pw.Engine(game, table_mb=16 * share)


def add(desk: Desk, a: int, b: int) -> int:
    return a + b


def add_slowly(desk: Desk, a: int, b: int) -> int:
    time.sleep(0.05)
    return a + b


def wait_a_little(desk: Desk, seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def wait_for(desk: Desk, mark: str) -> int:
    """Wait for a file; return the number of this process."""
    while not os.path.exists(mark):
        desk.check()
        time.sleep(0.01)
    return os.getpid()


def chatter(desk: Desk, mark: str) -> None:
    """Report all the time until there is a file."""
    while not os.path.exists(mark):
        desk.check()
        desk.report("still here")
        time.sleep(0.001)


def fail(desk: Desk, text: str) -> None:
    raise pw.PositionError(text) if text else KeyError("oops")


def leave(desk: Desk) -> None:
    raise SystemExit("enough")


def search_for_ever(desk: Desk, mark: str) -> None:
    """Search until it is stopped, and report each depth; then write the time to a file."""
    solver: pw.Engine = desk.tools
    control = Control()
    try:
        with desk.heeding(control.stop):
            solver.search(control=control, on_info=lambda result: desk.report(result.depth))
    finally:
        with open(mark, "w") as file:
            file.write(str(time.time()))


def listen(desk: Desk, seconds: float) -> list[Any]:
    """Return what it is told, and say that it listens."""
    heard: list[Any] = []
    with desk.heeding(lambda: None, heard.append):
        desk.report("listening")
        end = time.monotonic() + seconds
        while len(heard) < 2 and time.monotonic() < end:
            time.sleep(0.005)
    return heard


def die(desk: Desk, deaths: str) -> None:
    """Die, after noting it in a file."""
    with open(deaths, "a") as file:
        file.write(".")
    time.sleep(0.1)  # the news that it has begun are on their way
    os.kill(os.getpid(), signal.SIGKILL)


def deadly_tools(game: pw.Game, share: float, deaths: str) -> None:
    die(Desk(print), deaths)


def die_once(desk: Desk, mark: str) -> str:
    """Die, but not again."""
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return "alive"
    time.sleep(0.3)  # the news that it has begun are on their way
    os.kill(os.getpid(), signal.SIGKILL)
    return "dead"


# One position by many: the lead searches nothing that helpers can answer --------------------------------------------

HELP_SECONDS = 30.0
"""How long a lead waits for help."""


def wait_for_help(answers: Answers, question: Any, search: Callable[[], Any]) -> Any:
    """Return the answer of helpers, instead of searching."""
    end = time.monotonic() + HELP_SECONDS
    while not answers.begin(question):
        assert time.monotonic() < end, f"nobody has answered {question}"
        time.sleep(0.002)
    return answers.known[question]


def lead_search(desk: Desk, *arguments: Any) -> Any:
    with mock.patch.object(Answers, "ask", wait_for_help):
        return lead_of_search(desk, *arguments)


def lead_solution(desk: Desk, *arguments: Any) -> Any:
    with mock.patch.object(Answers, "ask", wait_for_help):
        return lead_of_solution(desk, *arguments)


def noting_searcher(*arguments: Any) -> Tools:
    return _noting(searcher(*arguments))


def noting_solver(*arguments: Any) -> Tools:
    return _noting(solver(*arguments))


def _noting(tools: Tools) -> Tools:
    """Let a worker send nearly all that it finds out."""
    tools.work.count[NOTABLE] = 2
    return tools


lead_of_search, lead_of_solution = searching.lead, solving.lead
searcher, solver = Searcher, Solver
