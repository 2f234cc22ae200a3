"""Solve every position in a text file on all cores; interrupt it at any time and resume later.

The answer to a position depends only on the rules: of several best moves the first is given, and nodes and times are
left out.  So the file of results is the same, byte for byte, however many threads ran, in whatever order they finished
and however often they were interrupted.

The workers are threads of this process, unless there is another executor (``plywise.cluster``): compiled searches
release Python's global lock, and threads end with the program, even if it is killed.  Python reads the positions and
writes the results, which limits trivial positions to a few thousand per second.  Each thread has its own table: a
shared one would save only one percent of the nodes.

Positions of a game with dice are solved by Star2; in threads, one at a time.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from plywise.cluster.bench import Desk, Kit
from plywise.cluster.executor import Executor, Here, Job, Lost, Outcome, Threads, done_in_turn
from plywise.compiling.fingerprint import rules_digest
from plywise.compiling.reading import wants_compiled
from plywise.engine.engine import Engine
from plywise.engine.first_best import compile_ahead, solve_first_best
from plywise.engine.many import Solved
from plywise.errors import GameError, PositionError, SearchError
from plywise.game import Game, State
from plywise.inputs.limits import LEAST_MB, MOST_THREADS, check_executor, check_threads, check_whole
from plywise.inputs.positions import PositionLine, lines_with_positions
from plywise.io.files import content_digest, read_text_file
from plywise.io.journal import Journal, JournalRecord
from plywise.io.numbers import plain_number
from plywise.io.processes import processors
from plywise.layers import Chance
from plywise.search import solve

VERSION = 2

GROWTH = 4
"""How much the number of positions may grow from one call to the next."""


class Analysis(NamedTuple):
    """What ``analyse`` did."""

    positions: int
    """Positions in the file."""
    known: int
    """How many of them already had a result."""
    bad: dict[int, str]
    """Lines without a result, and why; including those of earlier runs."""
    seconds: float
    """Time taken, without compiling."""
    damaged: int = 0
    """Damaged lines of the results, which were redone."""


def analyse(
    game: Game,
    positions: str | Path,
    out: str | Path,
    *,
    all_moves: bool = False,
    column: int | None = None,
    threads: int | None = None,
    table_mb: float = 64.0,
    executor: Executor | None = None,
    fresh: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Solve every position in a text file and write the results to another, one JSON object per line.

    Call it again to resume where it was interrupted; threads and table size may differ.

    Args:
        game: whose rules to follow; a zero-sum game for two players.
        positions: a file with one position per line, in the game's notation.  Blank lines and lines that begin with #
            are skipped.
        out: the file of results, in the order of the positions once it is complete.
        all_moves: also find the value of every move.
        column: which word of a line is the position, from 1; default: the whole line.
        threads: how many positions to solve at a time; default: one per processor.  With dice it is always one.
        table_mb: the total size of the threads' tables, in megabytes; on a cluster, of each worker's threads.
        executor: who solves them, instead of threads of this process: ``plywise.cluster.connect("local")``.
        fresh: start over and overwrite ``out``.
        on_progress: called with the number of positions that have a result, and the total.

    Raises:
        SearchError: ``out`` holds the results of another analysis, or an argument is invalid.

    >>> import tempfile, plywise as pw
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "positions").write_text("XX./OO./...\\nX../.O./...\\n")
    >>> pw.analyse(pw.games.TicTacToe(), folder / "positions", folder / "results").positions
    2
    >>> print((folder / "results").read_text().splitlines()[1])
    {"line": 1, "position": "XX./OO./...", "value": 1, "move": "c3", "check": "67878be5"}
    """
    begun, prepared = time.perf_counter(), 0.0
    check_executor(executor, threads=threads)
    threads = min(processors(), MOST_THREADS) if threads is None else threads
    check_threads(threads)
    if column is not None:
        check_whole("column", column, 1)
    Engine(game, table_mb=table_mb)  # raises if they are invalid
    content = read_text_file(positions)
    lines = lines_with_positions(content)
    tell = on_progress or (lambda done, total: None)
    with Journal(Path(out), _header(game, content, len(lines), column, all_moves), fresh) as journal:
        bad: dict[int, str] = {}
        known = {record["line"] for record in _noted(journal.records(), bad)}
        damaged = journal.damaged
        missing = [line for line in lines if line.number not in known]
        done = len(known)
        tell(done, len(lines))
        if missing:
            with contextlib.ExitStack() as stack:
                if executor is None:
                    waited = time.perf_counter()
                    executor = stack.enter_context(_here(game, min(threads, len(missing)), table_mb))
                    begun += time.perf_counter() - waited
                kit = Kit(game, line_solver, table_mb, all_moves, column)
                stack.callback(executor.release, kit)
                for outcome, records in stack.enter_context(contextlib.closing(_solved(executor, kit, missing, bad))):
                    prepared = max(prepared, outcome.prepared)
                    journal.append(_noted(records, bad))
                    done += len(records)
                    tell(done, len(lines))
        journal.put_in_order()
    seconds = time.perf_counter() - begun - prepared
    return Analysis(len(lines), len(known), dict(sorted(bad.items())), seconds, damaged)


def _noted(records: Iterable[JournalRecord], bad: dict[int, str]) -> Iterator[JournalRecord]:
    """Pass the records on, and note the errors in ``bad``."""
    for record in records:
        if "error" in record:
            bad[record["line"]] = record["error"]
        yield record


def _header(game: Game, content: bytes, count: int, column: int | None, all_moves: bool) -> dict[str, Any]:
    """Return everything that the results depend on."""
    return {
        "plywise": "analysis", "version": VERSION, "game": repr(game), "rules": rules_digest(game), "positions": count,
        "sha256": content_digest(content), "column": column, "all_moves": all_moves,
    }  # fmt: skip


# Solving -------------------------------------------------------------------------------------------------------------


def _here(game: Game, threads: int, table_mb: float) -> Executor:
    """Return this machine's executor, with everything compiled: that is done here, where Ctrl-C ends it."""
    if isinstance(game, Chance) or not wants_compiled(game):
        return Here()
    compile_ahead(Engine(game, table_mb=table_mb))
    return Threads(threads) if wants_compiled(game) else Here()


def line_solver(game: Game, share: float, table_mb: float, all_moves: bool, column: int | None) -> LineSolver:
    """Return a solver for one thread, with everything compiled."""
    if isinstance(game, Chance):
        return LineSolver(game, partial(_solve_with_dice, game, all_moves), lambda: None, all_moves, column)
    engine = Engine(game, table_mb=max(LEAST_MB, table_mb * share))
    compile_ahead(engine)
    return LineSolver(
        game, partial(solve_first_best, engine, all_moves=all_moves), partial(_stop, engine), all_moves, column
    )


def solve_lines(desk: Desk, lines: list[PositionLine]) -> list[JournalRecord]:
    """Return the records of these lines: a job of an executor."""
    solver: LineSolver = desk.tools
    with desk.heeding(solver.stop):
        return solver.records(lines)


def _stop(engine: Engine) -> None:
    for compiled in (True, None):
        for work in engine.works(compiled):
            work.stop()


def _solve_with_dice(game: Game, all_moves: bool, states: list[State]) -> list[Solved]:
    """Return the solutions of positions, one after the other; of several best moves Star2 finds the first."""
    found = []
    for state in states:
        if game.is_terminal(state):
            found.append(Solved(game.score(state), None, 0, {}))
        else:
            result = solve(game, state, all_moves=all_moves)
            found.append(Solved(result.value, result.move, result.nodes, result.moves))
    return found


@dataclasses.dataclass
class LineSolver:
    """Turns lines into records, for one thread."""

    game: Game
    solve: Callable[[list[State]], list[Solved]]
    """Solves positions, and finds the value of every move if ``all_moves``."""
    stop: Callable[[], None]
    """Asks a running search to stop."""
    all_moves: bool
    column: int | None

    def records(self, lines: list[PositionLine]) -> list[JournalRecord]:
        """Return the records of these lines."""
        read = [self._read(line.text) for line in lines]
        solved = iter(self._solved([state for _, state, wrong in read if not wrong]))
        return [
            {"line": line.number, "position": text, **self._answer(state, wrong or next(solved))}
            for line, (text, state, wrong) in zip(lines, read, strict=True)
        ]

    def _read(self, text: str) -> tuple[str, State, str]:
        """Return the text of the position in a line, the position, and an error message or nothing."""
        if self.column is not None:
            words = text.split()
            if self.column > len(words):
                return text, None, f"this line has no column {self.column}"
            text = words[self.column - 1]
        try:
            return text, self.game.parse(text), ""
        except PositionError as error:
            return text, None, str(error)
        except (ValueError, LookupError) as error:  # a careless ``parse``
            return text, None, f"{text!r} is not a position: {type(error).__name__}: {error}"

    def _solved(self, states: list[State]) -> list[Solved | str]:
        """Return the solution of each position, or an error message."""
        try:
            return list(self.solve(states))
        except (GameError, SearchError) as error:
            if len(states) == 1:
                return [str(error)]
            return [answer for state in states for answer in self._solved([state])]

    def _answer(self, state: State, found: Solved | str) -> dict[str, Any]:
        if isinstance(found, str):
            return {"error": found}
        move = None if found.move is None else self.game.format_move(state, found.move)
        answer = {"value": plain_number(found.value), "move": move}
        if self.all_moves:
            moves = found.moves or {}
            answer["moves"] = {self.game.format_move(state, m): plain_number(value) for m, value in moves.items()}
        return answer


class Feed:
    """Hands out lines in chunks that take as long as a job should, judging by the previous ones."""

    def __init__(self, lines: list[PositionLine], executor: Executor) -> None:
        self.lines = lines
        self.executor = executor
        self.given = 0
        self.size = 1.0

    def __iter__(self) -> Iterator[list[PositionLine]]:
        while self.given < len(self.lines):
            left = len(self.lines) - self.given
            size = int(min(self.size, left / max(1, 2 * self.executor.slots)))  # so that all finish together
            chunk = self.lines[self.given : self.given + max(1, size)]
            self.given += len(chunk)
            yield chunk

    def took(self, count: int, seconds: float) -> None:
        """Note how long ``count`` lines took."""
        wanted = count * self.executor.job_seconds / max(seconds, 1e-9)
        self.size = max(1.0, min(GROWTH * max(count, self.size), wanted))


def _solved(
    executor: Executor, kit: Kit, lines: list[PositionLine], bad: dict[int, str]
) -> Generator[tuple[Outcome, list[JournalRecord]], None, None]:
    """Yield jobs and their records as they end.

    Positions whose workers died go to ``bad`` alone: the next run tries again.
    """
    feed, alone = Feed(lines, executor), list[list[PositionLine]]()

    def job(chunk: list[PositionLine]) -> Job:
        which = repr(chunk[0].text) if len(chunk) == 1 else f"{len(chunk)} positions"
        return Job(kit, solve_lines, (chunk,), which)

    def ended(outcome: Outcome) -> list[JournalRecord]:
        chunk: list[PositionLine] = outcome.job.arguments[0]
        if isinstance(outcome.error, Lost):
            if len(chunk) == 1:
                bad[chunk[0].number] = str(outcome.error)
            else:
                alone.extend([line] for line in chunk)  # to find out which one it is
            return []
        feed.took(len(chunk), outcome.seconds)
        records: list[JournalRecord] = outcome.answer()
        return records

    for chunks in (feed, alone):
        with contextlib.closing(done_in_turn(executor, map(job, chunks))) as outcomes:
            for outcome in outcomes:
                if records := ended(outcome):
                    yield outcome, records
