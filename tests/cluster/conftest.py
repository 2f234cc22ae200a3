"""The executors that every promise of the cluster is checked with."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from plywise.cluster import coordinator, pieces, searching, solving
from plywise.cluster.addresses import connect
from plywise.cluster.executor import Executor, Job
from plywise.cluster.tools import ANSWER, NOTES, answer_piece
from tests.cluster import jobs


@pytest.fixture(scope="module", params=("threads", "processes", "local"))
def executor(request: Any) -> Iterator[Executor]:
    """An executor of each kind, with as many workers as the module's WORKERS says, or two."""
    if request.param == "local":
        pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")
    with connect(request.param, workers=getattr(request.module, "WORKERS", 2)) as found:
        yield found


@dataclasses.dataclass
class Help:
    """What helpers did."""

    answers: list[tuple[Any, int | None, Any]] = dataclasses.field(default_factory=list)
    """Goals, depths, and the bounds that answered whether the value at that depth reaches the goal."""
    checked: int = 0
    """How many answers have been checked."""
    notes: int = 0
    """How many messages with notes went to others."""
    plies: list[int] = dataclasses.field(default_factory=list)
    """How far from the root each piece began."""

    def check(self, value: Callable[[int | None], Any]) -> None:
        """Check the answers by the values, for the player to move, at each depth; forget them."""
        self.checked += len(self.answers)
        for goal, depth, bound in self.answers:
            true = value(depth)
            assert goal <= bound <= true if true >= goal else true <= bound < goal, (goal, depth, bound, true)
        self.answers.clear()


@pytest.fixture
def help_given(monkeypatch: pytest.MonkeyPatch) -> Help:
    """Let the lead wait until helpers have answered each question, and let all send notes of nearly everything."""
    seen, update, submit = Help(), Executor.update, Executor.submit

    def listen(self: Executor, job: Job, message: Any, lasting: bool = True) -> None:
        kind, *rest = message
        if kind == ANSWER:
            (goal, depth), bound = rest
            seen.answers.append((goal, depth, bound))
        seen.notes += kind == NOTES
        update(self, job, message, lasting)

    def look(self: Executor, job: Job) -> Job:
        if job.work is answer_piece:
            seen.plies.append(len(job.arguments[0]))
        return submit(self, job)

    monkeypatch.setattr(Executor, "update", listen)
    monkeypatch.setattr(Executor, "submit", look)
    monkeypatch.setattr(pieces, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(pieces, "MOST_SECONDS", 60.0)  # none is too large, so helpers can answer everything
    monkeypatch.setattr(coordinator, "NOTE_SECONDS", 0.0)
    monkeypatch.setattr(searching, "lead", jobs.lead_search)
    monkeypatch.setattr(searching, "Searcher", jobs.noting_searcher)
    monkeypatch.setattr(solving, "lead", jobs.lead_solution)
    monkeypatch.setattr(solving, "Solver", jobs.noting_solver)
    return seen
