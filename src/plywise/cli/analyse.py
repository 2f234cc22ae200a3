"""``plywise analyse``: solve a file of positions on all cores, and resume after an interruption."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.failure import INTERRUPTED, WRONG, complain, complain_of, stopped
from plywise.cli.on_cluster import ClusterOption, InsecureOption, TlsOption, Watch, executor_at
from plywise.cli.options import ITS_OWN_WORKERS, GameArgument, JsonOption, TableOption, explains_games, refuse
from plywise.cli.screen import busy, duration, output, print_json
from plywise.errors import SearchError

if TYPE_CHECKING:
    from plywise.study.analyse import Analysis

MOST_COMPLAINTS = 20
"""How many bad lines to report on stderr; the results file has them all."""


@explains_games
def analyse(
    game: GameArgument,
    positions: Annotated[Path, typer.Argument(metavar="POSITIONS", help="A text file with one position per line.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Write the results to FILE, as JSON lines.")],
    all_moves: Annotated[bool, typer.Option("--all-moves", help="Also find the value of every move.")] = False,
    column: Annotated[
        int | None,
        typer.Option("--column", metavar="N", help="Read the position from the Nth word of each line."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", "--jobs", "-j", metavar="N", help="Positions to solve at once. Default: one per core."
        ),
    ] = None,
    table_mb: TableOption = None,
    cluster: ClusterOption = None,
    tls: TlsOption = None,
    insecure: InsecureOption = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore what FILE holds and start over.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Solve every position in a file, on all cores.

    The engine solves them; with dice, Star2 does, one position at a time.

    Blank lines and lines that start with # are skipped.  Each result is one line of JSON: the line number, the
    position, its value for Max and the first best move.  For a line that is not a position it has an error instead,
    and the exit code is then 1.

    You can stop it at any time, even kill it.  The same command resumes it.  Interruptions do not
    change the finished file.

    \b
    plywise analyse connect-four positions.txt --out results.jsonl
    plywise analyse connect-four Test_L2_R1 --column 1 --out results.jsonl
    plywise analyse mygame.py positions.txt --out results.jsonl --all-moves --threads 4
    plywise analyse connect-four positions.txt --out results.jsonl --cluster local
    """
    from plywise.inputs.choose import choose_game
    from plywise.study.analyse import analyse as solve_all

    latest = (0, 0)
    if cluster is not None:
        refuse(ITS_OWN_WORKERS, threads=threads)
    with busy(positions.name, counted=True) as display, executor_at(cluster, tls, insecure, display) as executor:
        watch = Watch(display, positions.name, executor)

        def tell(done: int, total: int) -> None:
            nonlocal latest
            latest = (done, total)
            watch.tell(done, total)

        options: dict[str, Any] = {} if table_mb is None else {"table_mb": table_mb}
        try:
            found = solve_all(
                choose_game(game), positions, out, all_moves=all_moves, column=column, threads=threads, fresh=fresh,
                on_progress=tell, executor=executor, **options,
            )  # fmt: skip
        except KeyboardInterrupt:
            found = None
        except SearchError:
            if latest[0]:
                complain(stopped("results", *latest, out, fresh))
            raise
    if found is None:
        complain(stopped("results", *latest, out, fresh))
        raise typer.Exit(INTERRUPTED)
    _show(found, positions, out, as_json)
    if found.bad:
        raise typer.Exit(WRONG)


def _show(found: Analysis, positions: Path, out: Path, as_json: bool) -> None:
    if as_json:
        print_json({"results": str(out), **found._asdict()})
    else:
        solved = found.positions - found.known
        speed = f" ({solved / found.seconds:,.0f} a second)" if solved else ""
        known = f", {found.known:,} of them solved before" if found.known else ""
        counts = f"{found.positions:,} positions{known}{f', {len(found.bad):,} of them errors' if found.bad else ''}"
        output().print(f"{counts}; {duration(found.seconds)}{speed}. Results are in {out}.")
    if found.damaged:
        complain(f"{out}: damaged results, solved again: {found.damaged:,}")
    complain_of(
        [f"{positions}, line {number}: {error}" for number, error in found.bad.items()], MOST_COMPLAINTS, "lines"
    )
