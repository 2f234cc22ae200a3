"""``plywise tune``: learn the weights of an evaluation from positions with game results."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.failure import INTERRUPTED
from plywise.cli.options import GameArgument, JsonOption, explains_games
from plywise.cli.screen import busy, duration, output, print_json
from plywise.errors import SearchError
from plywise.io.files import check_target

if TYPE_CHECKING:
    from plywise.learning.tuning import Fit

DataArgument = Annotated[
    Path,
    typer.Argument(metavar="DATA", help='EPD with results (c9 "1-0";) and optional evaluations (ce 35;); .gz too.'),
]
SIGNIFICANT = ("positions", "start", "blend", "pull", "iterations", "seed")
"""Options that change the weights."""


@explains_games
def tune(
    context: typer.Context,
    game: GameArgument,
    data: DataArgument,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the weights to FILE.")] = None,
    positions: Annotated[
        int | None, typer.Option("--positions", min=1, metavar="N", help="Learn from N positions, chosen at random.")
    ] = None,
    start: Annotated[
        Path | None, typer.Option("--start", metavar="FILE", help="Initial weights. Default: round numbers.")
    ] = None,
    blend: Annotated[
        float | None, typer.Option("--blend", min=0, max=1, help="Weight of the evaluations (ce) against the results.")
    ] = None,
    pull: Annotated[
        float | None, typer.Option("--pull", min=0, help="How strongly to pull weights to their initial values.")
    ] = None,
    iterations: Annotated[int | None, typer.Option("--iterations", min=1, metavar="N", help="At most N steps.")] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Random seed.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Learn the weights of an evaluation from results of games.

    This is Texel's method.  It prints the loss before and after, on games held out from learning.  Ctrl-C stops it
    and keeps the best weights so far.  To play with the weights, use chess:weights_file=FILE.

    \b
    plywise tune chess positions.epd.gz --out weights.txt
    plywise tune chess positions.epd --positions 100000 --iterations 50
    """
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
