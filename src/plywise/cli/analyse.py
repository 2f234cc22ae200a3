"""``plywise analyse``: solve a file of positions, with all cores, in as many sittings as it takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.failure import INTERRUPTED, WRONG, complain, complain_of, stopped
from plywise.cli.options import GameArgument, JsonOption, TableOption, explains_games
from plywise.cli.screen import busy, duration, output, print_json

if TYPE_CHECKING:
    from plywise.study.analyse import Analysis

MOST_COMPLAINTS = 20
"""Bad lines that are named on stderr; the file of results has them all."""


@explains_games
def analyse(
    game: GameArgument,
    positions: Annotated[Path, typer.Argument(metavar="POSITIONS", help="A text file, one position a line.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where to write the results, as JSON lines.")],
    all_moves: Annotated[bool, typer.Option("--all-moves", help="Also find the value of every move.")] = False,
    column: Annotated[
        int | None,
        typer.Option("--column", metavar="N", help="The position is the Nth word of a line, not the whole line."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", "--jobs", "-j", metavar="N", help="Positions to solve at a time. Default: all cores."
        ),
    ] = None,
    table_mb: TableOption = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over, whatever FILE holds.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Solve every position of a file, with all cores.

    Lines that are blank or begin with # are skipped.  A result is a line of JSON: the number of the line, the position,
    its value for Max and the first of its best moves.  A line that is not a position gets an error in its place, and
    the exit code is 1 at the end.

    It may be stopped at any time, even killed: the same command goes on where it was, and the file comes out the same.

    \b
    plywise analyse connect-four positions.txt --out results.jsonl
    plywise analyse connect-four Test_L2_R1 --column 1 --out results.jsonl
    plywise analyse mygame.py positions.txt --out results.jsonl --all-moves --threads 4
    """
    from plywise.inputs.choose import choose_game
    from plywise.study.analyse import analyse as solve_all

    latest = (0, 0)

    with busy(positions.name, counted=True) as display:

        def tell(done: int, total: int) -> None:
            nonlocal latest
            latest = (done, total)
            display.tell(done, total)

        options: dict[str, Any] = {} if table_mb is None else {"table_mb": table_mb}
        try:
            found = solve_all(
                choose_game(game), positions, out, all_moves=all_moves, column=column, threads=threads, fresh=fresh,
                on_progress=tell, **options,
            )  # fmt: skip
        except KeyboardInterrupt:
            found = None
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
        known = f", {found.known:,} of them before" if found.known else ""
        counts = f"{found.positions:,} positions{known}{f', {len(found.bad):,} of them errors' if found.bad else ''}"
        output().print(f"{counts}; {duration(found.seconds)}{speed}. Results are in {out}.")
    if found.damaged:
        complain(f"damaged results in {out}, computed again: {found.damaged:,}")
    complain_of(
        [f"{positions}, line {number}: {error}" for number, error in found.bad.items()], MOST_COMPLAINTS, "lines"
    )
