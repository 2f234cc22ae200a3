"""Solve every position in a text file on all cores; interrupt it at any time and resume later.

The answer to a position depends only on the rules: of several best moves the first is given, and nodes and times are
left out.  So the file of results is the same, byte for byte, however many threads ran, in whatever order they finished
and however often they were interrupted.

The workers are threads of one process: compiled searches release Python's global lock, and threads end with the
program, even if it is killed.  Python reads the positions and writes the results, which limits trivial positions to a
few thousand per second.  Each thread has its own table: a shared one would save only one percent of the nodes.

Positions of a game with dice are solved by Star2, one at a time.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from plywise.compiling.fingerprint import rules_digest
from plywise.compiling.reading import wants_compiled
from plywise.compiling.threads import start_thread
from plywise.engine.engine import Engine
from plywise.engine.first_best import compile_ahead, solve_first_best
from plywise.engine.many import Solved
from plywise.errors import GameError, PositionError, SearchError
from plywise.game import Game, State
from plywise.inputs.limits import LEAST_MB, check_threads, check_whole
from plywise.inputs.positions import PositionLine, lines_with_positions
from plywise.io.files import content_digest, read_text_file
from plywise.io.journal import Journal, JournalRecord
from plywise.layers import Chance
from plywise.search import solve

VERSION = 2

CHUNK_SECONDS = 0.25
"""How long a call of compiled code should take: each thread loses this much work when the program is killed."""

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
        table_mb: the total size of the threads' tables, in megabytes.
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
    begun = time.perf_counter()
    threads = _processors() if threads is None else threads
    check_threads(threads)
    if column is not None:
        check_whole("column", column, 1)
    engine = Engine(game, table_mb=table_mb)  # raises if they are invalid
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
            waited = time.perf_counter()
            solvers = _solvers(engine, min(threads, len(missing)), all_moves, column)
            begun += time.perf_counter() - waited
            with contextlib.closing(_solved(solvers, Feed(missing, len(solvers)))) as answers:
                for records in answers:
                    journal.append(_noted(records, bad))
                    done += len(records)
                    tell(done, len(lines))
        journal.put_in_order()
    return Analysis(len(lines), len(known), dict(sorted(bad.items())), time.perf_counter() - begun, damaged)


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


def _processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Solving -------------------------------------------------------------------------------------------------------------


def _solvers(engine: Engine, threads: int, all_moves: bool, column: int | None) -> list[LineSolver]:
    """Return a solver for each thread, with everything compiled."""
    game = engine.game
    if isinstance(game, Chance):
        return [LineSolver(game, partial(_solve_with_dice, game, all_moves), lambda: None, all_moves, column)]
    compile_ahead(engine)
    threads = threads if wants_compiled(game) else 1  # plain Python runs one at a time
    share = max(LEAST_MB, engine.table_mb / threads)
    engines = [engine] if threads == 1 else [Engine(game, table_mb=share) for _ in range(threads)]
    return [
        LineSolver(game, partial(solve_first_best, each, all_moves=all_moves), partial(_stop, each), all_moves, column)
        for each in engines
    ]


def _stop(engine: Engine) -> None:
    for work in engine.works(compiled=True):
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
        answer = {"value": _plain(found.value), "move": move}
        if self.all_moves:
            moves = found.moves or {}
            answer["moves"] = {self.game.format_move(state, m): _plain(value) for m, value in moves.items()}
        return answer


def _plain(value: Any) -> Any:
    """Return a plain Python number."""
    return value.item() if hasattr(value, "item") else value


class Feed:
    """Hands out lines in chunks that should take ``CHUNK_SECONDS``, judging by the previous ones."""

    def __init__(self, lines: list[PositionLine], threads: int) -> None:
        self.lines = lines
        self.threads = threads
        self.given = 0
        self.size = 1.0
        self.lock = threading.Lock()

    def take(self) -> list[PositionLine]:
        """Return the next lines; none at the end."""
        with self.lock:
            left = len(self.lines) - self.given
            size = max(1, int(min(self.size, left / (2 * self.threads))))  # so that all threads finish together
            chunk = self.lines[self.given : self.given + size]
            self.given += len(chunk)
            return chunk

    def took(self, count: int, seconds: float) -> None:
        """Note how long ``count`` lines took."""
        with self.lock:
            self.size = max(1.0, min(GROWTH * max(count, self.size), count * CHUNK_SECONDS / max(seconds, 1e-9)))

    def close(self) -> None:
        """Hand out no more lines."""
        with self.lock:
            self.given = len(self.lines)


def _solved(solvers: list[LineSolver], feed: Feed) -> Generator[list[JournalRecord], None, None]:
    """Yield records as they are found."""
    return _solved_together(solvers, feed) if len(solvers) > 1 else _solved_by(solvers[0], feed)


def _solved_by(solver: LineSolver, feed: Feed) -> Generator[list[JournalRecord], None, None]:
    while chunk := feed.take():
        begun = time.perf_counter()
        records = solver.records(chunk)
        feed.took(len(chunk), time.perf_counter() - begun)
        yield records


def _solved_together(solvers: list[LineSolver], feed: Feed) -> Generator[list[JournalRecord], None, None]:
    answers: queue.SimpleQueue[list[JournalRecord] | BaseException | None] = queue.SimpleQueue()

    def work(solver: LineSolver) -> None:
        try:
            for records in _solved_by(solver, feed):
                answers.put(records)
            answers.put(None)
        except BaseException as error:
            answers.put(error)

    threads = [start_thread(work, solver) for solver in solvers]
    try:
        running = len(threads)
        while running:
            answer = answers.get()
            if isinstance(answer, BaseException):
                raise answer
            if answer is None:
                running -= 1
            else:
                yield answer
    finally:
        feed.close()
        for thread, solver in zip(threads, solvers, strict=True):
            while thread.is_alive():  # a search that is just starting misses the first call
                solver.stop()
                thread.join(0.02)
