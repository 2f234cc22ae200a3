"""Iterative deepening of one position, by all threads of an engine.

Every depth starts with an aspiration window around the last value, widened until the value lies inside.  All threads of
the engine search the same window at the same time (``race``).

The search runs in its own thread while the caller's thread keeps the clock; only ``at_depth`` is compiled.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from plywise.algorithms.common import check_value
from plywise.bits import any_number
from plywise.compiling.native import RoundedUp
from plywise.compiling.reading import call_of, only_compiling, supervised
from plywise.compiling.rows import rows_of, state_at
from plywise.engine.any_code import prepare
from plywise.engine.control import Control
from plywise.engine.dice_search import dice_search
from plywise.engine.node import Search, root_frame
from plywise.engine.plan import Plan
from plywise.engine.playing_search import playing_search
from plywise.engine.race import Race
from plywise.engine.table import NO_MOVE, Table
from plywise.engine.takeover import TakeOver
from plywise.engine.work import (
    DEEPEST_PLY,
    EFFORT,
    EFFORTS,
    HORIZON,
    LOOP,
    NEVER,
    NODES,
    ON_AVERAGE,
    PAST,
    ROOT_PLY,
    Work,
    path_mark,
)
from plywise.errors import Stopped
from plywise.game import Game, Move, Number, State, sign
from plywise.inputs.limits import LONGEST_LINE
from plywise.layers import CHANCE
from plywise.result import Result

if TYPE_CHECKING:
    from plywise.engine.engine import Engine

FIRST_WIDTH = 1.0
"""The smallest half-width of an aspiration window, in points."""

WIDER = 4
"""How much a failed aspiration window widens, on the side where it failed."""

WIDEST = 1 << 40
"""A side of the window that reaches this width becomes infinite."""

OnResult = Callable[[Result], None]


def unheard(result: Result) -> None:
    """Ignore a report."""


def never(result: Result) -> bool:
    """Never stop the search."""
    return False


def at_depth(
    game: Game, state: State, depth: int, alpha: Number, beta: Number, plan: Plan, table: Table, work: Work
) -> Number:
    """Return a fail-soft alpha-beta value for the player to move.

    Afterwards ``work.count[HORIZON]`` is 0 if the value is proven.  ``work.count[ROOT_PLY]`` is the number of plies
    from the root of the whole search to ``state``: 0 unless this is a part of a larger search.
    """
    work.count[HORIZON] = work.count[EFFORT] = 0
    begun, frame = work.count[NODES], root_frame()._replace(ply=any_number(work.count[ROOT_PLY]))
    value = playing_search(Search(game, plan, table, work), state, depth, alpha, beta, frame)
    work.weigh_effort(begun)
    return value


def at_depth_with_dice(
    game: Game, state: State, depth: int, alpha: Number, beta: Number, plan: Plan, table: Table, work: Work
) -> Number:
    """Return what ``at_depth`` returns, in games with dice; where chance moves, for MAX."""
    work.count[HORIZON] = work.count[ON_AVERAGE] = work.count[EFFORT] = 0
    begun = work.count[NODES]
    value = dice_search(Search(game, plan, table, work), state, depth, alpha, beta, root_frame())
    work.weigh_effort(begun)
    return value


def mark_path(game: Game, state: State, rows: Any, work: Work) -> None:
    """Put the positions in ``rows``, which precede ``state``, on the path."""
    for index in range(len(rows)):
        earlier = state_at(game, rows, index)
        work.path[index] = path_mark(game, earlier)


def put_on_path(game: Game, state: State, earlier: Sequence[State], work: Work, compiled: Any) -> None:
    """Put earlier positions on the path of a workspace, whose search begins at ``state``."""
    rows = rows_of(list(earlier), game.initial(), compiled is not None)
    ready = prepare(mark_path, game, state, lambda: (rows, work)) if compiled else None
    call_of(mark_path, game, state, (rows, work), ready)(rows, work)  # too short for a thread


@dataclasses.dataclass
class Deepening:
    """One search of an engine.  Its answer is ``best``: the best lines so far, best first."""

    engine: Engine
    games: Sequence[Game]
    """The game, as each thread searches it."""
    state: State
    plan: Plan
    history: Sequence[State] = ()
    """Earlier positions that may recur; cut to as many as the game's ``reversible`` allows."""
    moves: Sequence[Move] = ()
    """The root moves to search; empty for all."""
    lines: int = 1
    """How many of the best moves to find."""
    control: Control = dataclasses.field(default_factory=Control)
    on_info: OnResult = unheard
    on_bound: OnResult = unheard
    enough: Callable[[Result], bool] = never

    best: list[Result] = dataclasses.field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.game = self.games[0]
        self._entry = at_depth_with_dice if self.plan.dice else at_depth
        back = min(self.game.reversible(self.state), LONGEST_LINE) if self.plan.loops else 0
        self.history = list(self.history)[-back:] if back else []
        if self.lines > 1:
            self._all_moves = list(self.moves or self.game.moves(self.state))
            self.lines = min(self.lines, len(self._all_moves))

    def run(self, depth: int | None, seconds: float | None, nodes: int | None) -> Result:
        """Search to depth 1, 2, ... as far as the limits allow.  Depth 1 is finished, unless it takes far too long."""
        self._example = (1, 0.0, RoundedUp(1.0), self.plan, self.engine.table, self.engine.works(True)[0])
        self._find_code()
        self.engine.use_table_for_playing(self.game, self.plan, self.compiled)
        self.works = self.engine.works(self.compiled)
        self._better = TakeOver(
            self.engine, self.game, self._entry, self.state, self._example, self.compiled, self.plan.exact
        )
        self._set_path()
        self._race = Race(self.works, self.control)
        self.control.begin(self.works)
        self.begun = time.perf_counter()
        deadline = None if seconds is None else self.begun + seconds
        body = partial(self._deepen, depth or LONGEST_LINE, nodes)
        interrupted = False
        try:
            self._supervise(body, deadline)
        except KeyboardInterrupt:
            interrupted = True
            self.control.stop()
            if not self.best:  # Ctrl-C during the first depth: finish it, for a legal move
                self._supervise(body, None)
        finally:
            self.control.close()
            if self._better.is_wanted:
                self.engine.patience = max(0.0, self.engine.patience - (time.perf_counter() - self.begun))
        lines = tuple(self.best) if self.lines > 1 else None
        return dataclasses.replace(self.best[0], interrupted=interrupted, lines=lines)

    def _find_code(self) -> None:
        """Find, or make, the code for ``at_depth``, or its twin with dice."""
        self.compiled = prepare(self._entry, self.game, self.state, lambda: self._example)
        threads = zip(self.engine.works(self.compiled), self.games, strict=False)  # plain Python runs in one
        self._calls = {
            work: call_of(self._entry, game, self.state, self._example, self.compiled) for work, game in threads
        }

    def _find_better_code(self) -> None:
        """Have better code made if this goes on for long; use it when it is there."""
        if self._better.is_wanted and time.perf_counter() - self.begun >= self.engine.patience:
            self._better.begin()
        if self._better.is_ready:
            with self._better.taken():
                self._find_code()

    def _supervise(self, body: Callable[[], None], deadline: float | None) -> None:
        supervised(body, self.control.stop, LONGEST_LINE, self.compiled is not None, deadline)

    def _nodes(self) -> int:
        return sum(work.nodes for work in self.works)

    def _set_path(self) -> None:
        """Put the earlier positions on the path of every workspace."""
        for work in self.works:
            work.begin(None)
            work.choose(self.moves)
            work.count[PAST] = len(self.history)
            work.count[LOOP] = NEVER
        if self.plan.loops and only_compiling():
            self.history = [self.state]  # later searches will have earlier positions
        if self.history:
            put_on_path(self.game, self.state, self.history, self.works[0], self.compiled)
            for work in self.works[1:]:
                work.path[: len(self.history)] = self.works[0].path[: len(self.history)]

    # The main thread ------------------------------------------------------------------------------------------------

    def _deepen(self, depth: int, nodes: int | None) -> None:
        with self._race.with_helpers():
            for ply in range(1, depth + 1):
                self._find_better_code()
                try:
                    self._to_depth(ply, nodes)
                except Stopped:
                    if not self.best:
                        self._keep([self._first_guess()])
                    facts: dict[str, Any] = {"nodes": self._nodes(), "seconds": time.perf_counter() - self.begun}
                    self.best = [dataclasses.replace(result, **facts) for result in self.best]
                    return
                for result in self.best:
                    self.on_info(result)
                if all(result.proven for result in self.best) or self.enough(self.best[0]) or self.control.stopped:
                    return

    def _to_depth(self, depth: int, nodes: int | None) -> None:
        """Search the best lines to one depth, best first."""
        player = sign(self.game.to_move(self.state))
        found: list[Result] = []
        last = list(self.best)
        for index in range(self.lines):
            if self.lines > 1:
                self._leave_out([result.move for result in found])
            guess = last[index].value * player if index < len(last) else found[-1].value * player if found else 0
            try:
                found.append(self._line(depth, guess, index + 1, bool(last)))
            except Stopped:
                if index == 0 and last:
                    self._use_unfinished()
                raise
            found.sort(key=lambda result: -player * result.value)
            done = [result.move for result in found]
            self._keep((found + [old for old in last if old.move not in done])[: self.lines])
            if depth == 1 and index == 0:  # from here on the limits apply
                self._race.allow(None if nodes is None else max(1, -(-nodes // len(self.works))))
                self.control.listen(self.works)

    def _leave_out(self, moves: Sequence[Move | None]) -> None:
        """Search only the other root moves."""
        rest = [move for move in self._all_moves if move not in moves]
        self.works[0].choose(rest if moves else self.moves)

    def _line(self, depth: int, guess: Any, rank: int, narrow: bool) -> Result:
        """Search one line to one depth."""
        work = self.works[0]
        work.count[DEEPEST_PLY] = 0
        before = self.best[rank - 1].move if rank <= len(self.best) else None
        work.first[0] = NO_MOVE if before is None else before
        self._raised: tuple[Any, tuple[Move, ...]] = (0, ())

        def tell(value: Any, bound: Any) -> None:
            line = work.best_line
            if bound == "lower":
                self._raised = (value, line)
            self.on_bound(self._result(value, line or self.best[rank - 1].line, depth, bound, rank))

        value = self._aspired(depth, guess, narrow, tell)
        check_value(self.game, value)
        return self._result(value, work.best_line, depth, "exact", rank)

    def _result(self, value: Any, line: tuple[Move, ...], depth: int, bound: Any, rank: int) -> Result:
        game, work = self.game, self.works[0]
        return Result(
            game=game, state=self.state, value=value * sign(game.to_move(self.state)), move=line[0] if line else None,
            line=line, bound=bound, proven=bound == "exact" and bool(work.count[HORIZON] == 0), depth=depth,
            nodes=self._nodes(), leaves=None, seconds=time.perf_counter() - self.begun, algorithm="engine",
            compiled=self.compiled is not None, table_fill=self.engine.table.fill, rank=rank,
            deepest=None if self.plan.exact else max(depth, int(work.count[DEEPEST_PLY])),
            expected=self.plan.dice, effort=self._effort if bound == "exact" else None,
        )  # fmt: skip

    @property
    def _effort(self) -> float | None:
        """The share of the last search that the best move took; None if no move was better than the window."""
        return float(self.works[0].count[EFFORT] / EFFORTS) or None

    def _use_unfinished(self) -> None:
        """Take the best move of the unfinished depth: it beat the previous best move, which was searched first.  What
        helper threads found there is left out.
        """
        game, work, best = self.game, self.works[0], self.best[0]
        value, line = self._raised
        if work.best_line:
            value, line = work.best[0], work.best_line
            value = value if self.compiled is None else type(best.value)(value)
        if line and line[0] != best.move and not self.plan.exact:
            value *= sign(game.to_move(self.state))
            better = dataclasses.replace(best, value=value, move=line[0], line=line, bound="lower", proven=False)
            self._keep([better, *(old for old in self.best if old.move != line[0])][: len(self.best)])

    def _first_guess(self) -> Result:
        """Return the best move so far if even depth 1 was not finished; else one that looks best after it is made."""
        game, work = self.game, self.works[0]
        if work.best_line:
            value = work.best[0] if self.compiled is None else type(game.evaluate(self.state))(work.best[0])
            return self._result(value, work.best_line, 1, "lower", 1)
        player = sign(game.to_move(self.state))
        if game.to_move(self.state) == CHANCE:
            return self._result(game.evaluate(self.state), (), 1, "estimate", 1)

        def worth(move: Move) -> Any:
            child = game.play(self.state, move)
            return player * (game.score(child) if game.is_terminal(child) else game.evaluate(child))

        move = max(self.moves or game.moves(self.state), key=worth)
        return self._result(worth(move), (move,), 1, "estimate", 1)

    def _keep(self, best: list[Result]) -> None:
        self.best = [dataclasses.replace(result, rank=place) for place, result in enumerate(best, 1)]

    # All threads ----------------------------------------------------------------------------------------------------

    def _search_in(self, arguments: tuple[Any, ...], work: Work) -> Any:
        """Search in a workspace."""
        return self._calls[work](*arguments, work)

    def _within(self, depth: int, alpha: Any, beta: Any) -> Any:
        """Return a fail-soft value for the player to move, by all threads."""
        window = (alpha, beta) if self.compiled is None else (float(alpha), RoundedUp(float(beta)))
        return self._race.first(partial(self._search_in, (depth, *window, self.plan, self.engine.table)), depth)

    def _aspired(self, depth: int, guess: Any, narrow: bool, tell: Callable[[Any, str], None]) -> Any:
        """Return the value for the player to move, by aspiration windows around ``guess``; ``tell`` gets each bound."""
        width = math.inf
        if narrow and depth >= 4:
            width = min(float(self.game.swing), max(FIRST_WIDTH, abs(guess) / 8))
        below = above = width
        while True:
            alpha = guess - below if below < WIDEST else -math.inf
            beta = guess + above if above < WIDEST else math.inf
            value = self._within(depth, alpha, beta)
            if value <= alpha and alpha > -math.inf:
                tell(value, "upper")
                below *= WIDER
            elif value >= beta and beta < math.inf:
                tell(value, "lower")
                above *= WIDER
            else:
                return value
