"""Is this checkout as fast as an earlier commit?  The same work by both, in turns, in processor time.

Run ``python benchmarks/before_after.py COMMIT`` (about ten minutes), or add names of rows to measure only those.  The
earlier code is checked out into a temporary folder.  Each side runs in its own process; the two take turns, so that
other load slows both equally.  The table has the best time of each side, the median of the ratios of neighbouring
turns, and the nodes, which must be equal unless a commit says why not.  Rows that begin with "first answer" measure
fresh processes that compile everything.  A run of all rows writes ``results/before_after.md``.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
TURNS = 5
COLD_TURNS = 2

Work = Callable[[], int]
"""One turn of a row.  Returns its nodes."""


# What each row does.  A function prepares (compiling is not measured) and returns the work.  Both sides run this file,
# so it uses only what both versions offer.


def textbook(game: str, algorithm: str, depth: int | None, times: int = 1) -> Work:
    import plywise as pw

    chosen = getattr(pw.games, game)()

    def work() -> int:
        return sum(pw.search(chosen, depth=depth, algorithm=algorithm).nodes for _ in range(times))

    work()
    return work


def iterative(depth: int) -> Work:
    import plywise as pw

    engine = pw.Engine(pw.games.ConnectFour())

    def work() -> int:
        engine.clear()
        return engine.search(depth=depth).nodes

    work()
    return work


def solved(name: str, count: int, times: int = 1) -> Work:
    import plywise as pw
    from engine import published

    game = pw.games.ConnectFour()
    engine = pw.Engine(game, table_mb=64)
    states = [game.parse(text) for text, _ in published(name)[:count]]
    engine.solve_many(states[:1])

    def work() -> int:
        nodes = 0
        for _ in range(times):
            engine.clear()
            nodes += sum(found.nodes for found in engine.solve_many(states))
        return nodes

    return work


def chess_depth(depth: int) -> Work:
    from chess_search import POSITIONS

    import plywise as pw

    engine = pw.Engine(pw.games.Chess())

    def work() -> int:
        nodes = 0
        for fen in POSITIONS:
            engine.clear()
            nodes += engine.search(fen, depth=depth, exact=False).nodes
        return nodes

    engine.search(nodes=1000)
    return work


def chess_mates(count: int) -> Work:
    from chess_search import suite

    import plywise as pw

    engine = pw.Engine(pw.games.Chess(), table_mb=16)
    states = [epd.state for epd in suite("mates2000.epd")[:count]]

    def work() -> int:
        nodes = 0
        for state in states:
            engine.clear()
            nodes += engine.search(state, nodes=20_000).nodes
        return nodes

    engine.search(nodes=1000)
    return work


def chess_perft(depth: int) -> Work:
    from chess_search import POSITIONS

    import plywise as pw

    game = pw.games.Chess()
    pw.algorithms.perft(game, None, 1)
    return lambda: sum(pw.algorithms.perft(game, fen, depth) for fen in POSITIONS)


def gomoku(kind: str, nodes: int) -> Work:
    from boards import GAMES

    import plywise as pw

    engine = pw.Engine(GAMES[kind][0](15, 5))

    def work() -> int:
        engine.clear()
        return engine.search(nodes=nodes).nodes

    engine.search(nodes=100)
    return work


def proved() -> Work:
    import plywise as pw

    game = pw.games.TicTacToe()
    pw.solve(game, proof=True)
    return lambda: pw.solve(game, proof=True).nodes


def interpreted() -> Work:
    import plywise as pw

    game = pw.games.ConnectFour()

    def work() -> int:
        with pw.interpreted():
            return pw.search(game, depth=7, algorithm="alphabeta").nodes

    return work


def simulated() -> Work:
    import plywise as pw

    game = pw.games.ConnectFour()

    def work() -> int:
        return pw.search(game, nodes=5_000_000, algorithm="mcts", seed=1).nodes

    pw.search(game, nodes=100, algorithm="mcts", seed=1)
    return work


def drawn() -> Work:
    import plywise as pw
    from plywise.explain import figure, grow

    leaves: Any = [[[x * y * z % 97 for z in range(10)] for y in range(10)] for x in range(10)]
    with pw.interpreted():
        result = pw.search(pw.games.Tree.from_lists(leaves), algorithm="minimax", record=True)
    tree = grow(result)

    def work() -> int:
        figure(tree).svg()
        return result.nodes

    return work


ROWS: dict[str, Callable[[], Work]] = {
    "tic-tac-toe, minimax, ten times": lambda: textbook("TicTacToe", "minimax", None, 10),
    "Connect Four, plain alpha-beta to 14": lambda: textbook("ConnectFour", "alphabeta", 14),
    "Connect Four, scout to 12": lambda: textbook("ConnectFour", "scout", 12),
    "Connect Four, mcts, 5 million nodes": simulated,
    "Connect Four, engine to depth 16": lambda: iterative(16),
    "Connect Four, L3_R1 solved 30 times": lambda: solved("L3_R1", 1000, 30),
    "Connect Four, L2_R2 solved": lambda: solved("L2_R2", 200),
    "Connect Four, L1_R1 solved": lambda: solved("L1_R1", 1000),
    "Connect Four, one of L1_R3 solved": lambda: solved("L1_R3", 1),
    "chess, perft 5 of five positions": lambda: chess_perft(5),
    "chess, engine to depth 11": lambda: chess_depth(11),
    "chess, 100 mates, 20,000 nodes each": lambda: chess_mates(100),
    "Gomoku 15x15, no evaluation": lambda: gomoku("plain", 300_000),
    "Gomoku 15x15, with evaluation": lambda: gomoku("evaluated", 30_000),
    "tic-tac-toe, proved and checked": proved,
    "Connect Four, interpreted": interpreted,
    "drawing of 1,111 nodes": drawn,
}

FIRST_ANSWERS = {
    "first answer, tic-tac-toe, alpha-beta": "pw.search(pw.games.TicTacToe(), algorithm='alphabeta')",
    "first answer, Connect Four, solve": "pw.solve(pw.games.ConnectFour(), '444444333333')",
    "first answer, Connect Four, search": "pw.search(pw.games.ConnectFour(), depth=4)",
    "first answer, chess, search": "pw.search(pw.games.Chess(), depth=2)",
}


def specialised() -> contextlib.AbstractContextManager[None]:
    """Return a context in which the engine is compiled for a game alone; the engine then goes on using that code."""
    try:
        from plywise.compiling.reading import specialised
        from plywise.engine.any_code import made_by
    except ImportError:  # an earlier version, which knows nothing else
        return contextlib.nullcontext()
    return made_by(specialised)


def serve() -> None:
    """In a process of one side: read names of rows, do a turn of each, answer with seconds and nodes."""
    from engine import cpu  # only here, because it imports the plywise of this side

    ready: dict[str, Work] = {}
    for line in sys.stdin:
        name = line.strip()
        if name not in ready:
            ready.clear()  # the tables of one row must not slow the next
            with specialised():
                ready[name] = ROWS[name]()
        print(json.dumps(cpu(ready[name])), flush=True)


class Side:
    """One version of the code, in a process."""

    def __init__(self, source: Path) -> None:
        self.environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(source), str(HERE)))}
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=self.environment,
        )  # fmt: skip

    def turn(self, row: str) -> tuple[float, int]:
        """Return the processor seconds and nodes of one turn."""
        if row in FIRST_ANSWERS:
            return self.first_answer(FIRST_ANSWERS[row])
        assert self.process.stdin
        assert self.process.stdout
        print(row, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"stopped: {row!r} failed, see above")
        return tuple(json.loads(answer))

    def first_answer(self, code: str) -> tuple[float, int]:
        """Return the processor seconds of a fresh process that compiles everything itself."""
        with tempfile.TemporaryDirectory() as cache:
            environment = {**self.environment, "PLYWISE_CACHE_DIR": cache}
            script = f"import plywise as pw, time; nodes = {code}.nodes; print(time.process_time(), nodes)"
            answer = subprocess.run(
                [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True, check=True
            )
        seconds, nodes = answer.stdout.split()
        return float(seconds), int(nodes)

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


@contextlib.contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Yield the source folder of a commit."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        yield Path(folder) / "src"


def compare(rows: list[str], sides: list[Side]) -> Iterator[str]:
    """Measure in turns, the side that begins alternating; yield the lines of a table in Markdown."""
    yield "| | before, s | after, s | after / before | best / best | nodes |"
    yield "|---|--:|--:|--:|--:|--:|"
    for row in rows:
        measured: list[list[tuple[float, int]]] = [[], []]
        for number in range(COLD_TURNS if row in FIRST_ANSWERS else TURNS):
            for index in (0, 1) if number % 2 == 0 else (1, 0):
                measured[index].append(sides[index].turn(row))
        ratio = statistics.median(after[0] / before[0] for before, after in zip(*measured, strict=True))
        best = [min(seconds for seconds, _ in times) for times in measured]
        nodes = [", ".join(f"{count:,}" for count in sorted({count for _, count in times})) for times in measured]
        same = nodes[1] if nodes[0] == nodes[1] else f"{nodes[0]} before, {nodes[1]} after"
        yield f"| {row} | {best[0]:.3f} | {best[1]:.3f} | {ratio:.3f} | {best[1] / best[0]:.3f} | {same} |"


def main() -> None:
    """Compare this checkout with a commit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", default="HEAD", help="the earlier commit (default: %(default)s)")
    parser.add_argument("rows", nargs="*", help="names of rows (default: all)")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
        return
    known = [*ROWS, *FIRST_ANSWERS]
    if wrong := [row for row in options.rows if row not in known]:
        parser.error(f"there is no row {wrong[0]!r}; there are: {'; '.join(known)}")
    lines = [
        "# Before and after", "",
        f"`python benchmarks/before_after.py {options.commit}`, {datetime.date.today()}, Python "
        f"{platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores: processor seconds of the best "
        f"turn, and the median ratio of {TURNS} turns ({COLD_TURNS} for first answers).", "",
    ]  # fmt: skip
    with checkout(options.commit) as before, contextlib.ExitStack() as stack:
        sides = [Side(before), Side(ROOT / "src")]
        for side in sides:
            stack.callback(side.close)
        for line in compare(options.rows or known, sides):
            print(line, flush=True)
            lines.append(line)
    if not options.rows:
        (HERE / "results" / "before_after.md").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
