"""One position, solved by many machines: a lead and its helpers (see ``pieces``)."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import Any

from plywise.cluster.bench import Desk, Kit
from plywise.cluster.coordinator import Coordinator, check_sendable
from plywise.cluster.executor import Executor, Job
from plywise.cluster.tools import QUESTION, READY, Answers, Solver, answer_piece, sendable
from plywise.compiling.reading import specialised
from plywise.engine.any_code import made_by
from plywise.engine.endings import Endings
from plywise.engine.exact import ValueRange, all_values, next_goal
from plywise.engine.progress import Tell
from plywise.engine.solving import Solving
from plywise.game import Game, State, sign
from plywise.io.numbers import plain_number
from plywise.result import Result
from plywise.tables.table import Table

GUESS_SECONDS = 0.2
"""How long the lead searches to guess the answers."""


# On the worker --------------------------------------------------------------------------------------------------------


class _Lead(Solving):
    """The whole solution, with the answers of helpers where there are some."""

    def __init__(self, solver: Solver, desk: Desk, weak: bool, all_moves: bool) -> None:
        self.solver, self.desk = solver, desk
        self.answers = Answers(solver, lambda: desk.stopped)
        with made_by(specialised):
            super().__init__(solver.engine, solver.start, weak, all_moves)
        with desk.heeding(self.engine.stop):  # by any code: a guess is not worth compiling for
            found = self.engine.search(self.start, seconds=GUESS_SECONDS)
        self.guess = found.value * sign(self.game.to_move(self.start))
        self.engine.use_table_for_proofs(self.compiled)
        for work in self.works:
            work.begin(None)

    def _find(self) -> Any:
        known = all_values(self.game, self.start)
        while known.is_open(self.weak):
            goal = plain_number(next_goal(self.game, known))
            self._report(known, goal, bool(self.guess >= goal))
            known = known.narrowed(goal, self.answers.ask((goal, None), lambda: self._alone(goal)))  # noqa: B023
        self.answers.begin(None)
        self._report(known)
        return known.answer(self.weak)

    def _alone(self, goal: Any) -> Any:
        return self.solver.answer((), goal, None)

    def _report(self, known: ValueRange, *question: Any) -> None:
        self.desk.report((QUESTION, (plain_number(known.low), plain_number(known.high)), *question))


def lead(desk: Desk, weak: bool, all_moves: bool) -> dict[str, Any]:
    """Solve the position: the job of the lead.  Reports every question, and an empty one when there are no more."""
    solver: Solver = desk.tools
    begun = time.perf_counter()
    leading = _Lead(solver, desk, weak, all_moves)
    desk.report((READY, solver.prepared + time.perf_counter() - begun))
    with made_by(specialised), desk.heeding(solver.work.stop, leading.answers.take), solver.sending(desk.report):
        return facts_of(leading.run(None))


def facts_of(result: Result) -> dict[str, Any]:
    """Return what a result says, without the game and the position, which the receiver has."""
    moves = None if result.moves is None else {move: plain_number(value) for move, value in result.moves.items()}
    kept = ("move", "line", "bound", "proven", "depth", "nodes", "leaves", "seconds", "algorithm", "compiled",
            "table_fill", "network")  # fmt: skip
    return {"value": plain_number(result.value), "moves": moves, **{name: getattr(result, name) for name in kept}}


# Here -----------------------------------------------------------------------------------------------------------------


def solve_together(
    executor: Executor, game: Game, start: State, *, weak: bool = False, all_moves: bool = False,
    table_mb: float = 64.0, endings: Table | str | Path | None = None, on_progress: Tell | None = None,
) -> Result:  # fmt: skip
    """Return the exact value of a position, a best move and a line of best play, found by all workers of an executor.

    Args:
        executor: who solves it.
        game: whose rules to follow.
        start: the position.
        weak: find only who wins.
        all_moves: also find the value of every move.
        table_mb: the size of each worker's table, in megabytes.
        endings: a table of positions, or its file: lines of play end there.
        on_progress: called a few times a second with the proven bounds.

    Raises:
        SearchError: the lead's workers died too often, or a text does not describe the position exactly.
    """
    check_sendable(game, start)
    end = Endings(game, endings)
    if end.know(start):
        return end.looked_up(start, all_moves, weak=weak)
    kit = Kit(game, Solver, game.format(start), table_mb, sendable(endings=endings))
    coordinator = Coordinator(
        executor, end.game, start, Job(kit, lead, (weak, all_moves), game.format(start)),
        lambda node: Job(kit, answer_piece, (node.path, node.goal, None), f"a part of {game.format(start)!r}"),
        on_progress=on_progress,
    )  # fmt: skip
    try:
        facts = coordinator.run()
    finally:
        executor.release(kit)
    result = end.continued(Result(game=end.game, state=start, **facts))
    return dataclasses.replace(result, nodes=result.nodes + coordinator.nodes)
