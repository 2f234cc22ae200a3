"""``plywise tabulate``: find all positions of a game and their values, and write them to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.failure import INTERRUPTED, complain
from plywise.cli.on_cluster import ClusterOption, InsecureOption, TlsOption, Watch, executor_at
from plywise.cli.options import GameArgument, JsonOption, explains_games
from plywise.cli.screen import busy, output, print_json
from plywise.errors import SearchError

if TYPE_CHECKING:
    from plywise.game import Game
    from plywise.tables.need import Need
    from plywise.tables.table import Table


@explains_games
def tabulate(
    game: GameArgument,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Write the table to FILE.")],
    position: Annotated[
        list[str] | None,
        typer.Option("--position", "-p", metavar="TEXT", help="Start from this position; repeatable."),
    ] = None,
    roots: Annotated[
        Path | None, typer.Option("--roots", metavar="FILE", help="Start from the positions in FILE, one per line.")
    ] = None,
    pieces: Annotated[
        int | None,
        typer.Option("--pieces", metavar="N", min=1, help="Start from all positions with at most N pieces."),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option("--tolerance", metavar="X", help="How exact values must be where dice make cycles. [1e-12]"),
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", "-t", metavar="N", help="Use N threads. Default: one per core.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Delete FILE and start over.")] = False,
    cluster: ClusterOption = None,
    tls: TlsOption = None,
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find all positions of a game and the value of each.

    All positions that can be reached from the initial one, or from --position and --roots, are written to FILE, each
    with its value and its distance to the end.  For an endgame table, start from --pieces.
    'plywise search --table FILE' then answers at once, and 'plywise play --table FILE' plays without a mistake.

    First it estimates how many positions there are and how much memory they need.  You can stop it at any time, even
    kill it.  The same command resumes it.  Interruptions do not change the finished file.

    With --cluster, workers apply the rules; everything else is done here.  Useful only if the rules are
    slow; the resulting file is identical.

    \b
    plywise tabulate tic-tac-toe --out tic-tac-toe.table
    plywise tabulate connect-four:5,5 --out 5x5.table --threads 2
    plywise tabulate chess -p "8/8/8/8/8/2k5/8/K6R w - - 0 1" --out rook.table
    plywise tabulate checkers --pieces 3 --out three.table
    plywise tabulate mygame.py --out mine.table --cluster scheduler.json
    """
    from plywise.inputs.choose import choose_game
    from plywise.tables.tabulate import tabulate as make

    with (
        busy(f"Preparing {game}", counted=cluster is not None) as display,
        executor_at(cluster, tls, insecure, display) as executor,
    ):
        chosen = choose_game(game)
        starts = _roots(chosen, position or [], roots)
        watch = Watch(display, f"Preparing {game}", executor)

        def tell(what: str, done: int, total: int) -> None:
            if what != watch.text:
                watch.begin(what)
            watch.tell(done, total)

        def estimate(need: Need) -> None:
            if not as_json:
                display.console.print(str(need))

        options: dict[str, Any] = {} if tolerance is None else {"tolerance": tolerance}
        try:
            table = make(
                chosen, starts or None, pieces=pieces, out=out, threads=threads, fresh=fresh, on_progress=tell,
                on_need=estimate, executor=executor, **options,
            )  # fmt: skip
        except KeyboardInterrupt:
            table = None
    if table is None:
        complain(f"stopped; to resume, run the same command{' without --fresh' if fresh else ''}")
        raise typer.Exit(INTERRUPTED)
    _show(table, out, as_json)


def _roots(game: Game, texts: list[str], file: Path | None) -> list[Any]:
    from plywise.inputs.positions import lines_with_positions
    from plywise.io.files import read_text_file

    found = list(texts)
    if file is not None:
        listed = [line.text for line in lines_with_positions(read_text_file(file))]
        if not listed:
            raise SearchError(f"--roots {str(file)!r} has no positions")
        found += listed
    return [game.parse(text) for text in found]


def _show(table: Table, out: Path, as_json: bool) -> None:
    summary = table.summary
    if as_json:
        size = out.stat().st_size
        print_json({
            "game": repr(table.game), "file": str(out), "bytes": size, **summary._asdict(), "method": table.method,
            "tolerance": table.tolerance,
        })  # fmt: skip
        return
    exact = f", to within {table.tolerance:.0e}" if table.tolerance else ""
    lines = [
        f"positions  {summary.positions:,}",
        f"values     {summary.won:,} above zero, {summary.drawn:,} zero, {summary.lost:,} below (for Max)",
        f"method     {table.method}{exact}",
    ]
    if summary.longest_win is not None:
        lines.append(f"longest    win in {summary.longest_win} plies: {summary.longest_position}")
    lines.append(f"written    to {out}: {out.stat().st_size / 1e6:,.1f} MB")
    for line in lines:
        output().print(line)
