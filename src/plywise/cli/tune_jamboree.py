"""``plywise tune-jamboree``: find the fastest settings of the parallel search on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.failure import INTERRUPTED
from plywise.cli.on_cluster import ClusterOption, InsecureOption, TlsOption, Watch, executor_at
from plywise.cli.options import DepthOption, GameArgument, JsonOption, PositionOption, explains_games
from plywise.cli.screen import busy, duration, output, print_json, print_table, table
from plywise.errors import SearchError
from plywise.io.numbers import read_whole

if TYPE_CHECKING:
    from plywise.study.tune_jamboree import Tuning


@explains_games
def tune_jamboree(
    game: GameArgument,
    position: PositionOption = None,
    depth: DepthOption = None,
    threads: Annotated[int, typer.Option("--threads", "-t", metavar="N", help="Number of threads.")] = 2,
    percentages: Annotated[
        str | None,
        typer.Option("--percentages", metavar="A,B,C", help="Percentages of moves to search before the others."),
    ] = None,
    cutoffs: Annotated[
        str | None,
        typer.Option("--cutoffs", metavar="A,B,C", help="Remaining depths at and below which a thread works alone."),
    ] = None,
    repeats: Annotated[int, typer.Option("--repeats", min=1, metavar="N", help="Measurements of each setting.")] = 3,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write each round to FILE, and resume from it.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore what FILE holds and start over.")] = False,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the measurements to FILE.")] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Plot them, as .png, .svg or .pdf (needs matplotlib).")
    ] = None,
    cluster: ClusterOption = None,
    tls: TlsOption = None,
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find the best settings for Jamboree, the parallel search.

    Settings are measured in turns, several times each; the shortest time counts.  The speed-up is relative to one
    thread.  Ctrl-C stops it and keeps the measurements so far.  With --out you can even kill it; the same command goes
    on after the last round, also with more --repeats.

    With --cluster, workers measure: each --repeats is a round of all settings on one machine, and a machine works on
    one round at a time.  The machines should be alike.

    \b
    plywise tune-jamboree connect-four
    plywise tune-jamboree connect-four --depth 18 --threads 2 --csv sweep.csv --plot sweep.png
    plywise tune-jamboree connect-four --percentages 0,50,100 --cutoffs 6,8
    plywise tune-jamboree connect-four --threads 16 --repeats 8 --cluster scheduler.json
    """
    from plywise.inputs.choose import choose_game
    from plywise.io.plot import check_plot
    from plywise.study.tune_jamboree import CUTOFFS, PERCENTAGES, tune

    if plot is not None:
        check_plot(plot)
    with busy(f"Preparing {game}", counted=True) as display, executor_at(cluster, tls, insecure, display) as executor:
        chosen = choose_game(game)
        watch = Watch(display, "Measuring", executor)
        tuning = tune(
            chosen, position, depth=depth, threads=threads, repeats=repeats, on_step=watch.tell, executor=executor,
            out=out, fresh=fresh,
            percentages=_numbers("--percentages", percentages, PERCENTAGES),
            cutoffs=_numbers("--cutoffs", cutoffs, CUTOFFS),
        )  # fmt: skip
    if csv is not None:
        tuning.write_csv(csv)
    if plot is not None and tuning.measured:
        tuning.write_plot(plot)
    if as_json:
        best = tuning.best
        print_json({
            "game": repr(chosen), "position": chosen.format(tuning.state), "interrupted": tuning.interrupted,
            "percentage_sequential": best and best.percentage_sequential, "cutoff": best and best.cutoff,
            "measurements": tuning.rows(),
        })  # fmt: skip
    else:
        _show(tuning)
    if tuning.interrupted:
        raise typer.Exit(INTERRUPTED)


def _numbers(option: str, text: str | None, usual: tuple[int, ...]) -> tuple[int, ...]:
    if text is None:
        return usual
    try:
        return tuple(map(read_whole, text.split(",")))
    except ValueError:
        raise SearchError(f"{option} {text!r} is not a list of whole numbers, such as 0,25,50") from None


def _show(tuning: Tuning) -> None:
    columns = ("sequential", "cut-off", "threads", "time", "speed-up", "nodes")
    shown = table(*columns, right=columns)
    best = tuning.best
    shown.add_row("", "", "1", duration(tuning.baseline.seconds), "1.00", f"{min(tuning.baseline.nodes):,}")
    for trial in tuning.measured:
        shown.add_row(
            f"{trial.percentage_sequential}%", str(trial.cutoff), str(trial.threads), duration(trial.seconds),
            f"{tuning.speedup(trial):.2f}", f"{min(trial.nodes):,}", style="bold" if trial is best else None,
        )  # fmt: skip
    print_table(shown)
    if best is not None:
        output().print(
            f"\nBest at depth {tuning.depth}: percentage_sequential={best.percentage_sequential}, cutoff={best.cutoff}"
        )
