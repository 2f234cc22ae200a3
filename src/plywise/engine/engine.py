"""The engine: one table, one workspace a thread, and searches that build on earlier ones.

``plywise.search`` and ``plywise.solve`` create an engine for one question.  To ask several questions, keep one
``Engine``: each search reuses what the earlier ones learned.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from plywise.compiling.background import compile_later
from plywise.compiling.fingerprint import checked_once
from plywise.compiling.reading import as_ready
from plywise.engine import store
from plywise.engine.control import Control
from plywise.engine.deepen import Deepening, OnResult, never, unheard
from plywise.engine.distance import nearer
from plywise.engine.endings import Endings
from plywise.engine.judged import in_threads, with_network
from plywise.engine.many import Solved, solve_moves, solve_rows
from plywise.engine.margins import margins_for, use_margins
from plywise.engine.network import NONE, Network, network_for
from plywise.engine.plan import Plan, plan_for
from plywise.engine.progress import Tell
from plywise.engine.solving import Solving, sign_of
from plywise.engine.table import Table, check_hashable, table_of
from plywise.engine.takeover import PATIENCE
from plywise.engine.work import Work, new_work, new_works
from plywise.errors import SearchError
from plywise.game import Game, Move, State
from plywise.inputs.chance import check_certain, check_no_distances, refuse_chance_at_times
from plywise.inputs.choose import loading
from plywise.inputs.limits import (
    LONGEST_LINE,
    TOO_LONG_A_LINE,
    check_compile,
    check_limits,
    check_megabytes,
    check_threads,
    check_whole,
)
from plywise.inputs.positions import check_zero_sum, position, unfinished
from plywise.layers import CHANCE, Chance, must_deepen, recurs
from plywise.result import Result
from plywise.tables.table import Table as AllPositions

Method = TypeVar("Method", bound=Callable[..., Any])


def _when_ready(method: Method) -> Method:
    """Let an engine that compiles later search interpreted while its code is made in the background."""

    @functools.wraps(method)
    def search(self: Engine, *given: Any, **named: Any) -> Any:
        if self.compile == "first":
            return method(self, *given, **named)
        given = tuple(list(each) if isinstance(each, Iterator) else each for each in given)  # it may be read twice
        named = {name: list(each) if isinstance(each, Iterator) else each for name, each in named.items()}
        options = {
            "threads": len(self._threads),
            "policy": self.policy,
            "network": self.network or NONE,
            **self.options,
        }
        anew = partial(_ask_anew, self.game, options, method.__name__, given, _alone(named))
        return as_ready(
            partial(method, self, *given, **named), lambda missing: compile_later(anew, missing, loading(self.game))
        )

    return search  # type: ignore[return-value]


def _alone(named: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a search without those that tie it to its caller, for the same search elsewhere."""
    tied = ("control", "on_info", "on_bound", "on_progress", "enough")
    alone = {name: value for name, value in named.items() if name not in tied}
    if named.get("control") is not None and alone.get("nodes") is None:
        alone["nodes"] = 1  # a control counts as a limit
    return alone


def _ask_anew(game: Game, options: dict[str, Any], method: str, given: Sequence[Any], named: dict[str, Any]) -> Any:
    """Ask a new engine."""
    return getattr(Engine(game, table_mb=1, **options), method)(*given, **named)


class Engine:
    """Searches positions of one game.

    Args:
        game: a game of two players whose scores sum to zero.
        threads: the number of search threads.
        table_mb: the size of the table, in megabytes.
        policy: the replacement policy of the table: always, deepest, two-tier or aged.
        compile: when to compile: ``first``, before the first search; or ``later``, in the background, while searches
            run interpreted until the code is there.
        endings: a table of positions (``plywise.tabulate``), or its file, as an endgame database: lines of play end
            there, with the table's values.
        network: the file of a learned evaluation (``plywise train``), or a ``Network``; ``none`` for the game's own
            evaluation.  Default: the network that comes with the game, if there is one; exact searches do not use that
            one, so that they agree with the algorithms of the textbook.
        margins: numbers of selective search, by name (``plywise.engine.margins.MARGINS``), or a file of them
            (``plywise tune --search``).  Default: those of the game.
        options: fields of ``plywise.engine.plan.Plan``, such as ``reductions=False``.

    >>> import plywise as pw
    >>> engine = pw.Engine(pw.games.ConnectFour())
    >>> engine.search("445566", seconds=0.1).line_text()[0]
    '3'
    >>> engine.solve("4444415256666").value
    0
    """

    def __init__(
        self, game: Game, *, threads: int = 1, table_mb: float = 64.0, policy: str = "aged", compile: str = "first",
        endings: AllPositions | str | Path | None = None, network: str | Path | Network | None = None,
        margins: Mapping[str, float] | str | Path | None = None, **options: bool,
    ) -> None:  # fmt: skip
        position(game, None)
        check_zero_sum(game, "the engine")
        check_no_distances(game)
        check_threads(threads)
        check_megabytes("table_mb", table_mb)
        check_compile(compile)
        self.endings = Endings(game, endings)
        self.game, self.compile = self.endings.game, compile
        self.table_mb, self.policy, self.options = table_mb, policy, options
        self.margins: Mapping[str, float] = MappingProxyType(margins_for(game, margins))
        """The numbers of selective search, by name."""
        self._given_margins = {} if margins is None else {"margins": margins}
        self.table: Table = table_of(table_mb, policy)
        self._threads: list[Work] = new_works(threads, isinstance(game, Chance))
        use_margins(self._threads, self.margins)
        self.network = network_for(game, network)
        self._network_is_given = network is not None
        self._plain: list[Work] = []
        self._table_is_for: Any = None
        self._control = Control()
        self.patience = PATIENCE
        """Seconds left to search with code for any game, before better code is made."""
        plan_for(game, False, options)  # raises if an option is invalid

    def __repr__(self) -> str:
        given = {"threads": len(self._threads), "table_mb": self.table_mb, "policy": self.policy, **self._given_margins,
                 **self.options}  # fmt: skip
        return f"Engine({self.game!r}, {', '.join(f'{name}={value!r}' for name, value in given.items())})"

    # Searching ------------------------------------------------------------------------------------------------------

    @_when_ready
    def search(
        self,
        state: State | str | None = None,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        exact: bool | None = None,
        all_moves: bool = False,
        moves: Iterable[Move] = (),
        lines: int = 1,
        history: Sequence[State] = (),
        enough: Callable[[Result], bool] | None = None,
        control: Control | None = None,
        on_info: OnResult | None = None,
        on_bound: OnResult | None = None,
    ) -> Result:
        """Deepen ply by ply until a limit is reached or the value is proven.  Ctrl-C stops it as the clock does.

        Args:
            state: a position, or its text; default: the initial position.
            seconds: the time limit, counted after compiling.
            depth: the last depth to search.
            nodes: the most positions that all threads together may visit (approximately).
            exact: whether the value must equal minimax at the depth searched; default: if ``depth`` is the only limit.
            all_moves: also find the exact value of every move, beyond the limits.
            moves: search only these moves; default: all.
            lines: how many of the best moves to find, each with its value and line, for ``result.lines``.
            history: the positions before ``state``, for games in which they may recur.
            enough: called with the best result of each finished depth; return True to stop there.
            control: lets other threads stop the search; counts as a limit.
            on_info: called with the result of each finished depth; with several lines, once for each line.
            on_bound: called with a bound when the value falls outside the aspiration window.
        """
        check_limits(depth, seconds, nodes)
        if depth is None and seconds is None and nodes is None and control is None:
            raise SearchError("a search needs a limit: depth=, seconds= or nodes=")
        check_whole("lines", lines, 1)
        if exact is None:
            exact = all_moves or (seconds is None and nodes is None and control is None)
        if self.endings.know(state):
            return self.endings.looked_up(state, all_moves, tuple(moves), lines)
        with checked_once():
            start = self._start(state)
            if self.game.to_move(start) == CHANCE and (tuple(moves) or lines > 1):
                raise SearchError("moves= and lines= are for positions in which a player moves; here chance does")
            tell = self.endings.telling
            games = self.games_to_search(exact)
            job = Deepening(
                self, games, start, plan_for(games[0], exact, self.options), history, self._checked_moves(start, moves),
                lines, control or Control(), tell(on_info or unheard), tell(on_bound or unheard),
                enough or never,
            )  # fmt: skip
            self._control = job.control
            result = job.run(depth, seconds, nodes)
            if all_moves and not result.interrupted:
                result = self.with_moves_searched(result, job, depth or result.depth or 1)
            return self.endings.continued(result)

    def stop(self) -> None:
        """Make the search that runs in another thread return its best result so far."""
        self._control.stop()

    @_when_ready
    def solve(
        self, state: State | str | None = None, *, weak: bool = False, all_moves: bool = False,
        on_info: OnResult | None = None, on_progress: Tell | None = None,
    ) -> Result:  # fmt: skip
        """Find the exact value, a best move and a line of best play; if ``weak``, only who wins.

        Args:
            state: a position, or its text; default: the initial position.
            weak: find only the sign of the value.
            all_moves: also find the value of every move.
            on_info: called with the result of each finished depth, in games whose values depend on the path
                (repetitions, win distances): they need iterative deepening.
            on_progress: in other games, called from another thread a few times a second with the proven bounds, and
                once more if Ctrl-C ends the search.

        Raises:
            SearchError: a line of play does not end.
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        if weak:
            check_certain(self.game, "weak=True")
        if self.endings.know(state):
            return self.endings.looked_up(state, all_moves, weak=weak)
        if must_deepen(self.game):
            result = self.search(state, depth=LONGEST_LINE, exact=True, all_moves=all_moves, on_info=on_info)
            if result.interrupted:
                raise KeyboardInterrupt
            if not result.proven:
                raise SearchError(TOO_LONG_A_LINE)
            return dataclasses.replace(result, depth=None, value=sign_of(result.value) if weak else result.value)
        with checked_once():
            return self.endings.continued(Solving(self, self._start(state), weak, all_moves).run(on_progress))

    @_when_ready
    def solve_many(self, states: Iterable[State | str], *, all_moves: bool = False) -> list[Solved]:
        """Find the exact values of many positions in one call of compiled code; finished games are allowed.

        >>> import plywise as pw
        >>> [solved.value for solved in pw.Engine(pw.games.TicTacToe()).solve_many(["XX./OO./...", "X../.O./..."])]
        [1, 0]
        """
        kind = type(self.game.initial())
        positions = [state if type(state) is kind else position(self.game, state) for state in states]
        if must_deepen(self.game) or self.endings.table is not None:
            return [self._solved_alone(state, all_moves) for state in positions]
        with checked_once():
            refuse_chance_at_times(self.game, (state for state in positions if not self.game.is_terminal(state)))
            return solve_moves(self, positions) if all_moves else solve_rows(self, positions)

    def set_margins(self, margins: Mapping[str, float] | str | Path | None) -> None:
        """Search with other margins from now on, as ``Engine(margins=...)`` would; nothing is compiled again.

        All earlier searches are forgotten: what they found depends on their margins.

        >>> import plywise as pw
        >>> engine = pw.Engine(pw.games.ConnectFour())
        >>> engine.set_margins({"reduction": 1.5})
        >>> engine.margins["reduction"]
        1.5
        """
        self.margins = MappingProxyType(margins_for(self.game, margins))
        self._given_margins = {} if margins is None else {"margins": margins}
        use_margins([*self._threads, *self._plain], self.margins)
        self.clear()

    # The table ------------------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Forget all earlier searches."""
        self.table.clear()
        for work in [*self._threads, *self._plain]:
            work.forget()

    def save_table(self, path: Any) -> None:
        """Write the table to a file atomically."""
        store.save(path, self.game, str(self._table_is_for), self.table)

    def load_table(self, path: Any) -> None:
        """Read a table that ``save_table`` wrote for the same game, parameters, size and version.

        Raises:
            SearchError: the file does not match; the message says how.  The engine's table is then unchanged.
        """
        self._table_is_for = store.load(path, self.game, self.table)

    # Helpers --------------------------------------------------------------------------------------------------------

    def _start(self, state: State | str | None) -> State:
        start = unfinished(self.game, state)
        check_hashable(self.game, start)
        refuse_chance_at_times(self.game, [start])
        return start

    def _checked_moves(self, state: State, moves: Iterable[Move]) -> tuple[Move, ...]:
        chosen = tuple(dict.fromkeys(moves))
        legal = set(self.game.moves(state)) if chosen else set()
        for move in chosen:
            if move not in legal:
                raise SearchError(f"{move!r} is not a legal move in position {self.game.format(state)!r}")
        return () if len(chosen) == len(legal) else chosen

    def _given_network(self) -> str | Network | None:
        """Return the argument that gives another engine the same network."""
        return (self.network or NONE) if self._network_is_given else None

    def games_to_search(self, exact: bool) -> list[Game]:
        """Return the game as each thread searches it: with the network, unless the search is exact and nobody asked for
        the network.
        """
        if self.network is None or (exact and not self._network_is_given):
            return in_threads(self.game, len(self._threads))
        return self._judged_games

    @functools.cached_property
    def _judged_games(self) -> list[Game]:
        """The game with the network, for each thread."""
        assert self.network is not None
        return in_threads(with_network(self.game, self.network), len(self._threads))

    def use_table_for_playing(self, game: Game, plan: Plan, compiled: Any) -> None:
        """Get the table ready for a search of this game with this plan."""
        network = "" if game is self.game else f" with {self.network}"
        self._use_table_for((f"{EXACT} {plan}" if plan.exact else PROOFS) + network, compiled)

    def use_table_for_proofs(self, compiled: Any) -> None:
        """Get the table ready for a solution."""
        self._use_table_for(PROOFS, compiled)

    def _use_table_for(self, purpose: str, compiled: Any) -> None:
        """Clear the table if it holds entries of another kind of search, whose values do not mean the same."""
        purpose += "" if compiled is not None else ", plain Python"
        if self._table_is_for not in (None, purpose):
            self.table.clear()
        self._table_is_for = purpose
        self.table.begin_search()

    @property
    def table_is_exact(self) -> bool:
        """Whether the table is that of a search to a depth whose values equal minimax."""
        return str(self._table_is_for).startswith(EXACT)

    def works(self, compiled: Any) -> list[Work]:
        """Return the workspaces: one a thread, or one for plain Python."""
        if compiled is None and not self._plain:
            self._plain.append(new_work(plain=True, dice=isinstance(self.game, Chance)))
            use_margins(self._plain, self.margins)
        return self._threads if compiled is not None else self._plain

    def _solved_alone(self, state: State, all_moves: bool) -> Solved:
        """Return the value of one position, by a call of its own."""
        game = self.endings.whole
        if game.is_terminal(state):
            return Solved(game.score(state), None, 0, {} if all_moves else None)
        result = self.solve(state, all_moves=all_moves)
        return Solved(result.value, result.move, result.nodes, result.moves)

    def with_moves_searched(self, result: Result, job: Deepening, depth: int) -> Result:
        """Add the value of every root move, each found by a separate search, one ply shallower."""
        begun = time.perf_counter()
        path = [*job.history, result.state]
        values, nodes = {}, result.nodes
        for move in job.moves or self.game.moves(result.state):
            child = self.game.play(result.state, move)
            if self.game.is_terminal(child):
                values[move] = nearer(self.game, self.game.score(child), 1)
            elif recurs(self.game, child, path):
                values[move] = nearer(self.game, self.game.repetition(child), 1)
            elif depth == 1:
                values[move] = job.game.evaluate(child)
            else:
                below = Deepening(self, job.games, child, job.plan, path)
                self._control = below.control
                found = below.run(depth - 1, None, None)
                if found.interrupted:
                    raise KeyboardInterrupt
                values[move], nodes = nearer(self.game, found.value, 1), nodes + found.nodes
        seconds = result.seconds + time.perf_counter() - begun
        return dataclasses.replace(result, moves=values, nodes=nodes, seconds=seconds)


def search_once(
    game: Game, state: State, *, depth: int | None, seconds: float | None, nodes: int | None, all_moves: bool,
    on_info: OnResult | None, enough: Callable[[Result], bool] | None, exact: bool | None = None,
    history: Sequence[State] = (), moves: Iterable[Move] = (), lines: int = 1, threads: int = 1, table_mb: float = 64.0,
    policy: str = "aged", endings: AllPositions | str | Path | None = None, network: str | Path | Network | None = None,
    margins: Mapping[str, float] | str | Path | None = None, **options: bool,
) -> Result:  # fmt: skip
    """The default: principal variation search with iterative deepening and a table.

    Creates an ``Engine`` for one search.  The options are those of ``Engine`` and ``Engine.search``.
    """
    engine = Engine(
        game,
        threads=threads,
        table_mb=table_mb,
        policy=policy,
        compile="first",
        endings=endings,
        network=network,
        margins=margins,
        **options,
    )
    return engine.search(
        state, depth=depth, seconds=seconds, nodes=nodes, all_moves=all_moves, on_info=on_info, enough=enough,
        exact=exact, history=history, moves=moves, lines=lines,
    )  # fmt: skip


PROOFS = "proofs and bets"
"""The purpose of a table whose entries say whether they are proven."""

EXACT = "exact"
"""How the purpose of a table begins whose entries equal minimax at their depth."""
