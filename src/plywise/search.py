"""The public functions: ``search`` within a limit, ``solve`` to the end of the game."""

from __future__ import annotations

import dataclasses
import math
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from plywise.algorithms import (
    REQUIRED,
    Algorithm,
    Elsewhere,
    Textbook,
    algorithm_named,
    engine,
    mcts,
    plays_by_playouts,
    usual_algorithm,
)
from plywise.algorithms.common import CutRule, check_value
from plywise.algorithms.deepening import deepening
from plywise.algorithms.memo_table import Memo, memo_of_size
from plywise.algorithms.watch import Recorder, Tally, tally_arrays
from plywise.cluster.executor import Executor
from plywise.compiling.background import compile_later
from plywise.compiling.native import RoundedUp
from plywise.compiling.reading import as_ready, goal_argument, prepare, run
from plywise.engine.engine import Engine
from plywise.engine.judged import with_network
from plywise.engine.network import Network, network_for
from plywise.engine.progress import Tell
from plywise.errors import GameError, SearchError, Stopped
from plywise.game import MAX, Game, Move, State, sign
from plywise.inputs.chance import check_certain, refuse_chance
from plywise.inputs.choose import loading
from plywise.inputs.endless import check_ends
from plywise.inputs.limits import (
    LONGEST_LINE,
    MOST_NODES,
    TOO_LONG_A_LINE,
    check_compile,
    check_executor,
    check_limits,
    check_megabytes,
)
from plywise.inputs.positions import check_two_players, check_zero_sum, unfinished
from plywise.io.numbers import is_whole, plain_number
from plywise.layers import Chance, Recurrence, path_matters
from plywise.proof.prove import check_provable, with_proof
from plywise.result import Bound, Result

OPEN_WINDOW = {"alpha": -math.inf, "beta": math.inf, "low": -math.inf, "high": math.inf}
ROUNDING = {"alpha": float, "low": float, "guess": float, "beta": RoundedUp, "high": RoundedUp, "margin": RoundedUp}
"""Options that are scores, and how to pass them to compiled code.  With integer scores the window must not shrink."""


def search(
    game: Game,
    state: State | str | None = None,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    algorithm: str | Algorithm | None = None,
    all_moves: bool = False,
    record: bool | int = False,
    on_info: Callable[[Result], None] | None = None,
    on_progress: Tell | None = None,
    enough: Callable[[Result], bool] | None = None,
    compile: str = "first",
    network: str | Path | Network | None = None,
    executor: Executor | None = None,
    **options: Any,
) -> Result:
    """Find the value of a position, the best move and the principal variation.

    Args:
        game: the game.
        state: a position, or its text; default: the initial position.
        depth: how many plies to look ahead; default with a textbook algorithm: to the end of the game.
        seconds: deepen ply by ply until the time is up or the value is proven.
        nodes: deepen ply by ply until this many positions are visited or the value is proven.
        algorithm: one of ``plywise.algorithms``, or its name; default: the engine, or max^n for more players, with
            chance expecti-max^n.  A game with the layer ``Playouts`` is searched by ``mcts`` unless ``depth`` is given.
        all_moves: also find the value of every move; this takes extra time beyond ``seconds`` and ``nodes``.
        record: record every event for ``plywise.explain``.  The search runs interpreted; where the engine is the
            default algorithm, ``memo`` takes its place.  A number limits the positions; a search to ``depth`` that
            visits more fails.
        on_info: called with the result of each finished depth.
        on_progress: with ``executor``, called a few times a second with the bounds proven at the present depth.
        enough: called with the result of each finished depth; return True to stop there.
        compile: when to compile: ``first``, before the search starts; or ``later``, in the background: this search runs
            interpreted unless the code is there already, and later ones use it when it is.
        network: the file of a learned evaluation (``plywise train``), for any algorithm; ``none`` for the game's own
            evaluation.  Default: the engine uses the network that comes with the game (see ``Engine``).
        executor: who searches, such as ``plywise.cluster.connect("local")``: all its workers together, exactly, with
            ``depth`` or with ``seconds`` and ``exact=True``.
        options: options of the algorithm, such as ``alpha=``, ``beta=`` and ``strict=`` for alpha-beta.  The engine
            takes ``threads=``, ``table_mb=``, ``policy=``, ``exact=``, ``history=``, ``moves=``, ``lines=`` and the
            fields of ``plywise.engine.plan``.  ``plywise algorithms`` lists all options.

    Returns:
        A ``Result``.  With ``depth`` alone, its value equals minimax at this depth; with chance, expectiminimax.  With
        ``seconds`` or ``nodes``, the engine may prune heuristically (unless ``exact=True``).  After Ctrl-C, a search
        with ``seconds`` or ``nodes`` returns the best result so far, marked ``interrupted``.

    Raises:
        SearchError: no limit was given, an argument is invalid, or the game is already over; or without a limit, chance
            can repeat positions, so that the search would not end.
        PositionError: ``state`` is a text that is not a position of this game.
        GameError: the game is wrong, or random: its rules gave two different answers to the same question.

    >>> import plywise as pw
    >>> result = pw.search(pw.games.ConnectFour(), "445566", depth=5)
    >>> result.value, result.line_text()[0]
    (18, '3')
    """
    check_compile(compile)
    check_executor(executor)
    if executor is not None:
        _check_together(game, algorithm, compile)
    if compile == "later":
        alone = {"depth": depth, "seconds": seconds, "nodes": nodes, "algorithm": algorithm, "all_moves": all_moves,
                 "record": record, "network": network, **options}  # fmt: skip
        return _later(search, game, state, alone, on_info=on_info, enough=enough)
    start = unfinished(game, state)
    if algorithm is None and depth is None and not record and executor is None and plays_by_playouts(game):
        algorithm = None if seconds is None and nodes is None else mcts
    chosen = _algorithm(game, start, algorithm, bool(record))
    if executor is not None:
        _check_engine(game, chosen, record)
    if chosen is engine:
        options["network"] = network
    elif network is not None and (found := network_for(game, network)):
        game = with_network(game, found)
    _check_names(chosen, options)
    if executor is not None:
        given = {"nodes": nodes, "enough": enough}
        told = {"on_info": on_info, "on_progress": on_progress}
        return _searched_together(executor, game, start, depth, seconds, given, all_moves, told, options)
    if on_progress is not None:
        raise SearchError("on_progress= is for executor=: on_info= hears every depth")
    limited = depth is not None or seconds is not None or nodes is not None
    if chosen.needs_limit and not limited:
        who = "a search" if algorithm is None else chosen.name
        raise SearchError(f"{who} needs a limit: depth=, seconds= or nodes= (or the name of an exact algorithm=)")
    if not limited and not is_whole(record):
        check_ends(game, start)
    check_limits(depth, seconds, nodes)
    if is_whole(record) and (seconds is not None or nodes is not None):
        raise SearchError("record=N already limits the search: leave out seconds= and nodes=, or write record=True")
    if depth is not None and not chosen.has_depth:
        raise SearchError(f"{chosen.name} has no depth=: give seconds= or nodes=")
    if isinstance(chosen, Elsewhere) and chosen.keeps_clock:
        plies = {"depth": depth} if chosen.has_depth else {}
        return chosen.function(  # type: ignore[no-any-return]
            game, start, **plies, seconds=seconds, nodes=nodes, all_moves=all_moves, on_info=on_info, enough=enough,
            **options,
        )  # fmt: skip
    refuse_chance(game, start)
    if all_moves:
        _check_all_moves(game, chosen)
    below: Callable[[State], Callable[..., Result]]
    if isinstance(chosen, Textbook):
        job = _Job(game, start, chosen, _checked(chosen, options), bool(record))
        job.prepare(limited)
        below, search_to = job.below, job.search
    else:
        assert isinstance(chosen, Elsewhere)
        below = partial(chosen.function, game, **options)
        search_to = below(start)
    report = on_info or (lambda result: None)
    if seconds is None and nodes is None:
        result = _recorded(search_to, depth, record) if is_whole(record) else search_to(depth, None, None)
        report(result)
    else:
        result = deepening(search_to, depth or LONGEST_LINE, seconds, nodes, report, enough or (lambda result: False))
    return _with_all_moves(result, chosen, below) if all_moves else result


def solve(
    game: Game, state: State | str | None = None, *, algorithm: str | Algorithm | None = None, all_moves: bool = False,
    proof: bool = False, weak: bool = False, on_info: Callable[[Result], None] | None = None,
    on_progress: Tell | None = None, compile: str = "first", executor: Executor | None = None, **options: Any,
) -> Result:  # fmt: skip
    """Find the exact value of a position by searching to the end of the game.

    By default the engine searches; with more than two players, max^n; with chance, star2 or expecti-max^n.  The engine
    takes ``threads=`` and ``table_mb=``, the size of its table in megabytes.  Or choose a textbook ``algorithm``, or
    ``mcts``, which runs until the value is proven.  With ``weak``, the value is only 1 (Max wins), 0 (draw) or -1 (Min
    wins).  The result's ``seconds`` exclude compiling.

    With ``proof``, two boolean searches prove the value.  ``result.proof`` then holds both sides' strategies, already
    checked by ``plywise.check_proof``.

    While the engine runs, it calls ``on_progress`` with the proven bounds, or, in games that need iterative deepening,
    ``on_info`` (see ``Engine.solve``).  ``mcts`` calls ``on_info`` too.

    With ``compile="later"``, it solves interpreted unless the code is there, and compiles in the background (see
    ``search``).

    With ``executor``, such as ``plywise.cluster.connect("local")``, all its workers solve the position together;
    ``on_progress`` is then called from the calling thread.

    Raises:
        SearchError: an argument is invalid, the game is already over, or a line of play does not end; with ``proof``,
            this game cannot be proved (``plywise.proof.prove.check_provable``).
        ProofError: the proof is wrong, because ``bounds`` or ``key`` is.
        GameError: the game is wrong, or random: its rules gave two different answers to the same question.

    >>> import plywise as pw
    >>> pw.solve(pw.games.TicTacToe(), "XO./.X./..O").value
    1
    """
    check_compile(compile)
    check_executor(executor)
    if executor is not None:
        _check_together(game, algorithm, compile)
    if compile == "later":
        alone = {"algorithm": algorithm, "all_moves": all_moves, "proof": proof, "weak": weak, **options}
        return _later(solve, game, state, alone, on_info=on_info, on_progress=on_progress)
    for limit in ("depth", "seconds", "nodes", "exact"):
        if limit in options:
            raise SearchError(f"solve searches to the end and takes no {limit}=; use search instead")
    start = unfinished(game, state)
    if proof:
        check_provable(game, algorithm, weak)
    if weak:
        check_certain(game, "weak=True")
    if algorithm is None and isinstance(game, Chance):
        algorithm = usual_algorithm(game)  # it goes to the end at once; the engine would deepen
    chosen = _algorithm(game, start, algorithm, bool(options.get("record")))
    if executor is not None:
        _check_engine(game, chosen, options.get("record"))
    if chosen is engine:
        if not isinstance(game, Recurrence):  # the engine ends a game by its rule for repetitions
            check_ends(game, start)
        if executor is not None:
            result = _solved_together(executor, game, start, weak, all_moves, on_progress, options)
            return with_proof(result) if proof else result
        solver = Engine(game, **options)
        result = solver.solve(start, weak=weak, all_moves=all_moves, on_info=on_info, on_progress=on_progress)
    else:
        if weak:
            raise SearchError("weak=True is for the engine: leave algorithm= out")
        nodes = MOST_NODES if chosen.needs_limit else None  # it then deepens until the value is proven
        result = search(game, start, algorithm=chosen, all_moves=all_moves, on_info=on_info, nodes=nodes, **options)
        if result.interrupted:
            raise KeyboardInterrupt
        if not result.proven:
            raise SearchError(TOO_LONG_A_LINE)
        result = dataclasses.replace(result, depth=None)
    return with_proof(result) if proof else result


def _check_together(game: Game, algorithm: str | Algorithm | None, compile: str) -> None:
    if algorithm is not None or isinstance(game, Chance) or compile == "later":
        raise SearchError("executor= is for the engine, in games without dice: leave out algorithm= and compile=")


def _check_engine(game: Game, chosen: Algorithm, record: Any) -> None:
    """Check that the engine would search, which is what several workers do together."""
    if record or chosen is not engine:
        raise SearchError(f"executor= is for the engine, which does not {'record' if record else f'search {game!r}'}")


def _searched_together(
    executor: Executor, game: Game, start: State, depth: int | None, seconds: float | None, given: dict[str, Any],
    all_moves: bool, told: dict[str, Any], options: dict[str, Any],
) -> Result:  # fmt: skip
    """Search a position with all workers of an executor; ``given`` are arguments that have no place there, ``told`` is
    who hears of it.
    """
    from plywise.cluster.searching import search_together

    check_limits(depth, seconds, given["nodes"])
    wrong = [name for name, value in given.items() if value is not None]
    if wrong := wrong or sorted(set(options) - {"table_mb", "network", "endings", "exact"}):
        raise SearchError(f"with executor=, leave out {wrong[0]}=")
    if not options.pop("exact", seconds is None):
        raise SearchError("several workers search exactly, as depth= alone does: with executor= and seconds=, add "
                          "exact=True")  # fmt: skip
    if depth is None and seconds is None:
        raise SearchError("a search needs a limit: depth=, or seconds= and exact=True")
    return search_together(executor, game, start, depth=depth, seconds=seconds, all_moves=all_moves, **told, **options)


def _solved_together(
    executor: Executor, game: Game, start: State, weak: bool, all_moves: bool, on_progress: Tell | None,
    options: dict[str, Any],
) -> Result:  # fmt: skip
    """Solve a position with all workers of an executor."""
    from plywise.cluster.solving import solve_together

    if path_matters(game):
        raise SearchError(f"several workers cannot solve {type(game).__name__} together: its values depend on "
                          "repetitions, or on the plies to a win")  # fmt: skip
    if unknown := sorted(set(options) - {"table_mb", "endings"}):
        raise SearchError(f"with executor=, leave out {unknown[0]}=")
    return solve_together(executor, game, start, weak=weak, all_moves=all_moves, on_progress=on_progress, **options)


def _later(
    search: Callable[..., Result], game: Game, state: State | str | None, alone: dict[str, Any], **tied: Any
) -> Result:
    """Search, and compile in the background what is not there yet.

    Args:
        search: ``search`` or ``solve``.
        game: the game.
        state: a position, or its text.
        alone: arguments that make sense in another process too.
        tied: arguments that do not.
    """
    alone = {name: list(each) if isinstance(each, Iterator) else each for name, each in alone.items()}
    anew = partial(search, game, state, **alone)
    return as_ready(partial(anew, **tied), lambda missing: compile_later(anew, missing, loading(game)))


def _recorded(search_to: Callable[..., Result], depth: int | None, most: int) -> Result:
    """Search and record at most ``most`` positions.

    Raises:
        SearchError: there are more.
    """
    try:
        return search_to(depth, most, None)
    except Stopped:
        raise SearchError(f"the search visits more than {most:,} positions, the limit for a recording here: "
                          "give a smaller depth=")  from None  # fmt: skip


def _algorithm(game: Game, state: State, algorithm: str | Algorithm | None, record: bool) -> Algorithm:
    """Return the chosen algorithm, or the default one.

    Raises:
        SearchError: no algorithm has this name, or it does not suit the game or cannot record.
    """
    whole_moves = all(is_whole(move) for move in islice(game.moves(state), 1))
    if algorithm is None:
        chosen = usual_algorithm(game, engine if whole_moves and not record else None)
    else:
        chosen = algorithm if isinstance(algorithm, Algorithm) else algorithm_named(algorithm)
    if record and not isinstance(chosen, Textbook):
        raise SearchError(f"{chosen.name} cannot record: choose a textbook algorithm, such as alphabeta")
    if not chosen.takes_chance:
        check_certain(game, chosen.name)
    if not chosen.many_players:
        check_zero_sum(game, chosen.name)
    if chosen.whole_moves and not whole_moves:
        raise SearchError(f"{chosen.name} is for games whose moves are integers, unlike {game!r}; alphabeta suits all")
    return chosen


def _check_names(algorithm: Algorithm, options: dict[str, Any]) -> None:
    unknown = sorted(set(options) - set(algorithm.options))
    if unknown:
        allowed = ", ".join(f"{name}=" for name in algorithm.options) or "none"
        raise SearchError(f"{algorithm.name} has no option {unknown[0]}=; it has: {allowed}")


def _check_all_moves(game: Game, algorithm: Algorithm) -> None:
    if algorithm.only_answers:
        raise SearchError(f"{algorithm.name} answers only yes or no, so all_moves= has no values")
    if algorithm.minds_path and path_matters(game):
        raise SearchError(f"{algorithm.name} cannot find the value of every move of {game!r}, where repetitions or the "
                          "plies to a win count: leave algorithm= out")  # fmt: skip


def _with_all_moves(result: Result, algorithm: Algorithm, below: Callable[[State], Callable[..., Result]]) -> Result:
    """Add the exact value of every root move, each found by a separate search, one ply shallower."""
    start, game = time.perf_counter(), result.game
    values: dict[Move, Any] = {}
    nodes, leaves = result.nodes, result.leaves
    for move in game.moves(result.state):
        child = game.play(result.state, move)
        if result.depth == 1 or game.is_terminal(child):
            values[move] = algorithm.worth(game, child)
            continue
        found = below(child)(None if result.depth is None else result.depth - 1, None, None)
        values[move] = found.value
        nodes, leaves = nodes + found.nodes, None if leaves is None else leaves + (found.leaves or 0)
    seconds = result.seconds + time.perf_counter() - start
    return dataclasses.replace(result, moves=values, nodes=nodes, leaves=leaves, seconds=seconds)


def _check_hashable(game: Game, state: State) -> None:
    try:
        hash(state)
    except TypeError as error:
        raise GameError(f"a memo cannot hold the positions of {game!r}: {error}; use tuples in them") from None


def _checked(algorithm: Textbook, options: dict[str, Any]) -> dict[str, Any]:
    """Return all options of a textbook algorithm: the given ones, checked, and defaults.

    Raises:
        SearchError: an option is missing or invalid.
    """
    chosen = {**algorithm.options, **options}
    for name, value in chosen.items():
        if value is REQUIRED:
            raise SearchError(f"{algorithm.name} needs {name}=")
        if isinstance(value, bool) != (name == "strict") or not isinstance(value, (bool, int, float)):
            raise SearchError(f"{name}={value!r} is not {'True or False' if name == 'strict' else 'a number'}")
        if value != value:
            raise SearchError(f"{name}= must not be NaN")
        if isinstance(value, int) and abs(value) > sys.float_info.max:
            raise SearchError(f"{name}={value} is too large for a score")
    for low, high in (("alpha", "beta"), ("low", "high")):
        if low in chosen and not chosen[low] < chosen[high]:
            raise SearchError(f"{low}={chosen[low]} must be below {high}={chosen[high]}")
    if "margin" in chosen and not 0 < chosen["margin"] < math.inf:
        raise SearchError(f"margin={chosen['margin']} must be above zero")
    if "table_mb" in chosen:
        check_megabytes("table_mb", chosen["table_mb"])
    for name in ("guess", "goal"):
        if name in chosen and not math.isfinite(chosen[name]):
            raise SearchError(f"{name}={chosen[name]} must be finite")
    return chosen


@dataclasses.dataclass
class _Job:
    """One position and one textbook algorithm, to be searched once, or several times with growing depth."""

    game: Game
    state: State
    algorithm: Textbook
    options: dict[str, Any]
    record: bool
    compiled: Any = None
    tables: dict[tuple[bool, bool], Memo] = dataclasses.field(default_factory=dict)

    def search(self, depth: int | None, node_limit: int | None = None, deadline: float | None = None) -> Result:
        """Search to a fixed depth, or to the end.

        Raises:
            Stopped: a limit was reached before the search was finished.
        """
        start = time.perf_counter()
        for table in self.tables.values():
            table.begin_search()
        answer, tally = self._run(self.state, depth, node_limit, deadline)
        if depth is None and tally.horizon:
            raise SearchError(f"{TOO_LONG_A_LINE}: give depth=")
        value, bound = self._for_max(answer, self.state)
        if not isinstance(value, tuple):
            check_value(self.game, value)
        if "guess" in self.options:
            self.options["guess"] = value  # for the next search, one ply deeper
        line = self._complete(tally, depth, value, bound)
        self._check_players(line)
        return Result(
            game=self.game, state=self.state, value=value, move=line[0] if line else None, line=line, bound=bound,
            proven=tally.horizon == 0, depth=depth, nodes=tally.nodes, leaves=tally.leaves,
            seconds=time.perf_counter() - start, algorithm=self.algorithm.name, compiled=self.compiled is not None,
            events=tuple(tally.events) if isinstance(tally, Recorder) else None,
            strict=bool(self.options.get("strict")), expected=tally.is_average,
        )  # fmt: skip

    def _check_players(self, line: tuple[Move, ...]) -> None:
        """Raise SearchError if a third player moves: only max^n allows that."""
        state = self.state
        for move in () if self.algorithm.many_players else line:
            check_two_players(self.game, state, self.algorithm.name)
            state = self.game.play(state, move)

    def below(self, state: State) -> Callable[..., Result]:
        """Return a function that searches another position in the same way, for its exact value."""
        opened = {name: value for name, value in OPEN_WINDOW.items() if name in self.options}
        return dataclasses.replace(self, state=state, options={**self.options, **opened}, record=False).search

    def prepare(self, limited: bool) -> None:
        """Compile the algorithm for the game if possible, unless that is done already."""
        if not self.record:
            self.compiled = prepare(
                self.algorithm.function, self.game, self.state,
                lambda: (1, *self._arguments(self.state, limited, True), Tally(**tally_arrays(1))),
            )  # fmt: skip

    def _run(
        self, state: State, depth: int | None, node_limit: int | None = None, deadline: float | None = None
    ) -> tuple[Any, Tally]:
        """Run the algorithm and return its answer and the tally."""
        plies = LONGEST_LINE if depth is None else depth
        arrays = tally_arrays(plies, any_move=self.compiled is None, node_limit=node_limit)
        tally = Recorder(game=self.game, **arrays) if self.record else Tally(**arrays)
        arguments = (plies, *self._arguments(state, depth is not None, self.compiled is not None), tally)
        try:
            return run(self.algorithm.function, self.game, state, arguments, tally, self.compiled, deadline), tally
        except Stopped:
            raise Stopped(tally.nodes, tally.leaves) from None

    def _arguments(self, state: State, limited: bool, compiled: bool) -> list[Any]:
        """Return the arguments between the depth and the watcher, from the viewpoint of the player to move."""
        options = dict(self.options)
        if self.algorithm.view == "mover" and self.game.to_move(state) != MAX:
            if "alpha" in options:
                options["alpha"], options["beta"] = -options["beta"], -options["alpha"]
            if "guess" in options:
                options["guess"] = -options["guess"]
        options["rule"] = CutRule(options.get("strict", False))
        if self.algorithm.uses_table:
            options["table"] = self._table(limited, compiled)
        if compiled:
            options.update({name: take(float(options[name])) for name, take in ROUNDING.items() if name in options})
            if "goal" in options:
                options["goal"] = goal_argument(options["goal"], options["strict"])
        return [options[name] for name in self.algorithm.parameters]

    def _table(self, limited: bool, compiled: bool) -> Memo:
        if (limited, compiled) not in self.tables:
            table = memo_of_size(self.game, self.options["table_mb"], limited, any_value=not compiled)
            self.tables[limited, compiled] = table
        return self.tables[limited, compiled]

    def _for_max(self, answer: Any, state: State) -> tuple[Any, Bound]:
        """Return the answer for ``state`` as a value for MAX, and whether it is exact or a bound."""
        if self.algorithm.many_players:
            return tuple(map(plain_number, answer)), "exact"
        if self.algorithm.only_answers:
            return self.options["goal"], "lower" if answer else "upper"
        value = answer * sign(self.game.to_move(state)) if self.algorithm.view == "mover" else answer
        low = self.options.get("alpha", self.options.get("low", -math.inf))
        high = self.options.get("beta", self.options.get("high", math.inf))
        return value, "upper" if value <= low else "lower" if value >= high else "exact"

    def _complete(self, tally: Tally, depth: int | None, value: Any, bound: Bound) -> tuple[Move, ...]:
        """Return the whole line.  A memo cuts it short, so it is continued by further searches, move by move."""
        line = list(tally.best_line)
        if not self.algorithm.uses_table or bound != "exact":
            return tuple(line)
        state = self.state
        for move in line:
            state = self.game.play(state, move)
        quiet = dataclasses.replace(self, record=False)
        while not self.game.is_terminal(state) and (depth is None or len(line) < depth):
            left = None if depth is None else depth - len(line)
            for move in quiet._run(state, left)[1].best_line or (quiet._move_worth(state, left, value),):
                line.append(move)
                state = self.game.play(state, move)
        return tuple(line)

    def _move_worth(self, state: State, depth: int | None, value: Any) -> Move:
        """Return the first move whose child has this value, for positions whose move the memo does not know."""
        for move in self.game.moves(state):
            child = self.game.play(state, move)
            if depth == 1 or self.game.is_terminal(child):
                found = self.algorithm.worth(self.game, child)
            else:
                found = self._for_max(self._run(child, None if depth is None else depth - 1)[0], child)[0]
            if found == value:
                return move
        raise GameError(f"{self.game!r}: key() is equal for positions of different value: no move in "
                        f"{self.game.format(state)!r} is worth {value}")  # fmt: skip


ARGUMENTS = frozenset(
    ("self", "game", "state", "depth", "seconds", "nodes", "algorithm", "all_moves", "record", "on_info", "on_bound",
     "on_progress", "enough", "history", "moves", "control", "proof", "weak", "compile", "executor")
)  # fmt: skip
"""Arguments of a search that do not count as options: each is handled separately, or only a program can give it."""
