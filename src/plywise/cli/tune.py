"""``plywise tune``: learn the weights of an evaluation from positions, or the margins of the search by playing."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.failure import INTERRUPTED
from plywise.cli.options import GameArgument, JsonOption, explains_games, given
from plywise.cli.screen import busy, duration, output, print_json
from plywise.cli.tune_margins import tune_margins
from plywise.errors import SearchError
from plywise.io.files import check_target

if TYPE_CHECKING:
    from plywise.learning.tuning import Fit

DataArgument = Annotated[
    Path | None,
    typer.Argument(metavar="DATA", help='EPD with results (c9 "1-0";) and optional evaluations (ce 35;); .gz too.'),
]
SIGNIFICANT = ("positions", "start", "blend", "pull", "iterations", "seed")
"""Options that change the weights."""


@explains_games
def tune(
    context: typer.Context,
    game: GameArgument,
    data: DataArgument = None,
    search: Annotated[
        bool, typer.Option("--search", help="Tune the margins of the search by playing; without DATA, for any game.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the weights, or the margins, to FILE.")
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option("--start", metavar="FILE", help="Begin with the weights or margins in FILE."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Random seed.")] = 0,
    positions: Annotated[
        int | None, typer.Option("--positions", min=1, metavar="N", help="Learn from N positions, chosen at random.")
    ] = None,
    blend: Annotated[
        float | None, typer.Option("--blend", min=0, max=1, help="Weight of the evaluations (ce) against the results.")
    ] = None,
    pull: Annotated[
        float | None, typer.Option("--pull", min=0, help="How strongly to pull weights to their initial values.")
    ] = None,
    iterations: Annotated[int | None, typer.Option("--iterations", min=1, metavar="N", help="At most N steps.")] = None,
    hours: Annotated[
        float | None, typer.Option("--hours", metavar="H", help="--search: how long, with the match. Default: 1.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", metavar="N", help="--search: tune with N games instead.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", metavar="N", help="--search: positions per move. Default: 2000.")
    ] = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="A,B", help="--search: tune only these margins.")
    ] = None,
    openings: Annotated[
        Path | None, typer.Option("--openings", metavar="FILE", help="--search: start positions, one per line.")
    ] = None,
    random_plies: Annotated[
        int | None,
        typer.Option(
            "--random-plies", metavar="N", help="--search: start with N random moves. Default: 4, or 0 with --openings."
        ),
    ] = None,
    network: Annotated[
        str | None,
        typer.Option("--network", metavar="FILE", help="--search: evaluate with this network; none: with no network."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option("--threads", "-t", min=1, metavar="N", help="--search: games at once. Default: all cores."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="--search: ignore earlier games and start over.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Learn the weights of an evaluation, or the margins of the search.

    With DATA, this is Texel's method.  It prints the loss before and after, on games held out from learning.  Ctrl-C
    stops it and keeps the best weights so far.  To play with the weights, use chess:weights_file=FILE.

    \b
    plywise tune chess positions.epd.gz --out weights.txt
    plywise tune chess positions.epd --positions 100000 --iterations 50

    With --search, this is SPSA: pairs of games between engines whose margins differ, then a match of the result against
    the start.  Games are kept in FILE.games, so Ctrl-C loses nothing: the same command goes on where it was, also with
    more --hours.  To play with the margins, use the bot engine,margins=FILE.

    \b
    plywise tune chess --search --hours 8 --out margins.json
    plywise tune mygame.py --search --games 4000 --nodes 1000 --out margins.json
    plywise tune chess --search --only late,late_depth --openings book.txt --out margins.json
    plywise tune mygame.py --search --network mine.net --out margins.json
    """
    for_data: dict[str, Any] = {"positions": positions, "blend": blend, "pull": pull, "iterations": iterations}
    for_search = {
        "hours": hours, "games": games, "nodes": nodes, "only": only, "openings": openings,
        "random_plies": random_plies, "network": network, "threads": threads, "fresh": fresh or None,
    }  # fmt: skip
    if search:
        _refuse("with --search", DATA=data, **for_data)
        if out is None:
            raise SearchError("--search needs --out FILE, where the margins go")
        names = None if only is None else [name.strip() for name in only.split(",")]
        tune_margins(game, out, as_json, {**given(**for_search), **given(only=names, start=start), "seed": seed})
        return
    _refuse("without --search", **for_search)
    if data is None:
        raise SearchError("tune needs DATA, positions with results, or --search, to tune the search by playing")
    _tune_weights(context, game, data, out, start, seed, as_json, **for_data)


def _refuse(when: str, **options: Any) -> None:
    """Refuse options that do nothing.

    Raises:
        SearchError: one is given.
    """
    if found := given(**options):
        names = ", ".join(name if name.isupper() else f"--{name.replace('_', '-')}" for name in found)
        raise SearchError(f"{when}, leave out {names}")


def _tune_weights(
    context: typer.Context, game: str, data: Path, out: Path | None, start: Path | None, seed: int, as_json: bool, *,
    positions: int | None, blend: float | None, pull: float | None, iterations: int | None,
) -> None:  # fmt: skip
    """Learn the weights of the evaluation of chess from positions."""
    from plywise.games import Chess
    from plywise.inputs.choose import choose_game

    if out is not None:
        check_target(out)
    with busy("Preparing") as display:
        chosen = choose_game(game)
        if not isinstance(chosen, Chess):
            raise SearchError(f"{game} has no weights to tune; only chess has")
        from plywise.games.chess.weights import read_weights, write_weights
        from plywise.learning import tuning
        from plywise.learning.dataset import read_dataset
        from plywise.learning.prior import prior_weights

        weights = prior_weights() if start is None else read_weights(start)
        display.say("Reading positions")
        dataset = read_dataset(chosen, data, positions, seed, display.tell)
        display.say("Learning")
        fit = tuning.tune(
            chosen, dataset, weights, tuning.BLEND if blend is None else blend,
            tuning.PULL if pull is None else pull, iterations or tuning.ITERATIONS, seed, display.tell,
        )  # fmt: skip
        if out is not None:
            write_weights(out, fit.weights, _comments(context, game, data, fit))
    if as_json:
        print_json(tuning.report(fit))
    else:
        _show(fit, out)
    if fit.interrupted:
        raise typer.Exit(INTERRUPTED)


def _comments(context: typer.Context, game: str, data: Path, fit: Fit) -> list[str]:
    """Return the comments above the weights: how they were made."""
    given = {name: context.params[name] for name in SIGNIFICANT if context.params[name] is not None}
    options = [word for name, value in given.items() if name != "seed" or value for word in (f"--{name}", str(value))]
    command = shlex.join(["plywise", "tune", game, data.name, *options, "--out", "weights.txt"])
    return [
        "Weights of the evaluation of chess in centipawns: middlegame, endgame.  Made by",
        f"    {command}",
        *(["interrupted after", f"    {fit.iterations} iterations"] if fit.interrupted else []),
        f"from {fit.learned_from:,} positions.  Loss on {fit.held_out:,} others: {fit.before:.5f} before, "
        f"{fit.after:.5f} after.",
    ]


def _show(fit: Fit, out: Path | None) -> None:
    console = output()
    console.print(f"positions   {fit.learned_from:,} learned from, {fit.held_out:,} held out")
    console.print(f"loss        {fit.before:.5f} before, {fit.after:.5f} after, on held-out positions")
    console.print(f"scale       White scores 73 % at {fit.scale:.0f} centipawns")
    console.print(f"steps       {fit.iterations} in {duration(fit.seconds)}")
    console.print(f"weights     {out}" if out else "weights     not saved; use --out FILE")
