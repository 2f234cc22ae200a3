"""The exact value of one position and a line of best play, by all threads of an engine."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plywise.algorithms.common import check_value
from plywise.compiling.reading import run
from plywise.engine.any_code import prepare
from plywise.engine.exact import best_line, exact
from plywise.engine.many import ready_for_rows, solve_rows
from plywise.engine.progress import Narrowing, Tell
from plywise.engine.takeover import TakeOver
from plywise.errors import Stopped
from plywise.game import Move, State, sign
from plywise.inputs.limits import LONGEST_LINE
from plywise.result import Result

if TYPE_CHECKING:
    from plywise.engine.engine import Engine


class Solving:
    """The solution of one position.  Everything is compiled when it is created, before its clock starts.

    Args:
        engine: whose table and workspaces it uses.
        start: the position.
        weak: find only the sign of the value.
        all_moves: also find the value of every move.
    """

    def __init__(self, engine: Engine, start: State, weak: bool, all_moves: bool) -> None:
        self.engine, self.game, self.table = engine, engine.game, engine.table
        self.start, self.weak, self.all_moves = start, weak, all_moves
        self.compiled = prepare(exact, self.game, start, lambda: (weak, self.table, engine.works(True)[0]))
        engine.use_table_for_proofs(self.compiled)
        self.works = engine.works(self.compiled)
        self._ready_for_line(start)
        if all_moves:
            ready_for_rows(engine, [start])
        for work in self.works:
            work.begin(None)
        self.find: Callable[[], Any] = self._find
        """Returns the value for the player to move."""
        if len(self.works) > 1:
            from plywise.engine.parallel import ready_to_solve

            self.find = ready_to_solve(self.game, start, weak, self.table, self.works)

    def run(self, on_progress: Tell | None) -> Result:
        """Find the value, a best move and a line of best play; if ``weak``, who wins and a move that keeps that."""
        start, works = self.start, self.works
        narrowing = Narrowing(self.game, start, works, self.compiled is not None)
        with narrowing.told(on_progress):
            value = self.find()
            check_value(self.game, value)
            narrowing.freeze()
            line = self._keeping_sign(value) if self.weak else self._line(value)
            nodes = sum(work.nodes for work in works)
            moves = self._values_of_moves() if self.all_moves else None
            nodes += works[0].nodes if self.all_moves else 0
        shown = sign_of(value) if self.weak else value
        return Result(
            game=self.game, state=start, value=shown * sign(self.game.to_move(start)), move=line[0], line=line,
            bound="exact", proven=True, depth=None, nodes=nodes, leaves=None,
            seconds=time.perf_counter() - narrowing.begun, algorithm="engine", compiled=self.compiled is not None,
            moves=moves, table_fill=self.table.fill,
        )  # fmt: skip

    def _find(self) -> Any:
        """Return the value for the player to move, by one thread; better code takes over when it is there."""
        work, compiled = self.works[0], self.compiled
        arguments = (self.weak, self.table, work)
        better = TakeOver(self.engine, self.game, exact, self.start, arguments, compiled, None)
        if not better.is_wanted:
            return run(exact, self.game, self.start, arguments, work, compiled)
        if self.engine.patience > 0:  # each attempt goes on with what the table knows
            begun = time.perf_counter()
            deadline = begun + self.engine.patience
            with contextlib.suppress(Stopped):
                try:
                    return run(exact, self.game, self.start, arguments, work, compiled, deadline)
                finally:
                    work.allow(None)
                    self.engine.patience = max(0.0, self.engine.patience - (time.perf_counter() - begun))
        try:
            with better.stopping(work):
                return run(exact, self.game, self.start, arguments, work, compiled)
        except Stopped:
            with better.taken():
                compiled = prepare(exact, self.game, self.start, lambda: arguments)
        finally:
            work.allow(None)
        return run(exact, self.game, self.start, arguments, work, compiled)

    def _values_of_moves(self) -> dict[Move, Any]:
        moves = list(self.game.moves(self.start))
        found = solve_rows(self.engine, [self.game.play(self.start, move) for move in moves])
        return {move: solved.value for move, solved in zip(moves, found, strict=True)}

    # Best play ------------------------------------------------------------------------------------------------------

    def _keeping_sign(self, value: Any) -> tuple[Move]:
        """Return a move that wins or draws if there is one; ``value`` has the sign of the position's value."""
        if value < 0:
            return (next(iter(self.game.moves(self.start))),)
        return (self._part_of_line(self.start, value, 1)[0],)

    def _line(self, value: Any) -> tuple[Move, ...]:
        """Return best play to the end of the game; each move keeps the value."""
        state, line = self.start, tuple[Move, ...]()
        while len(part := self._part_of_line(state, value, LONGEST_LINE)) == LONGEST_LINE:
            line += part
            for move in part:
                child = self.game.play(state, move)
                value = value if self.game.to_move(child) == self.game.to_move(state) else -value
                state = child
        return line + part

    def _part_of_line(self, state: State, value: Any, plies: int) -> tuple[Move, ...]:
        """Return the first ``plies`` moves of best play, fewer if the game ends."""
        work, ready = self.works[0], self._ready_for_line(state)
        goal = value if ready is None else float(value)
        run(best_line, self.game, state, (goal, plies, self.table, work), work, ready)
        return work.best_line

    def _ready_for_line(self, state: State) -> Any:
        return self.compiled and prepare(
            best_line, self.game, state, lambda: (0.0, 1, self.table, self.engine.works(True)[0])
        )


def sign_of(value: Any) -> int:
    """Return 1, 0 or -1."""
    return int(value > 0) - int(value < 0)
