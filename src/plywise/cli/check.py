"""``plywise check``: find mistakes in the rules of a game."""

from __future__ import annotations

from typing import Annotated

import typer

from plywise.cli.failure import OK, WRONG
from plywise.cli.options import JsonOption, explains_games
from plywise.cli.screen import busy, output, print_json


@explains_games
def check(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A file such as mygame.py or mygame.py:Class; see above.")
    ],
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="Number of random games.")] = 100,
    seconds: Annotated[
        float,
        typer.Option("--seconds", "-s", metavar="S", min=0.001, help="Stop after S seconds, not counting compilation."),
    ] = 10.0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Random seed.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Check the rules of a game by playing it at random.

    Reports mistakes in a definition, with the position and the moves that show them: positions that change, moves that
    cannot be played, rules that differ when compiled, scores out of bounds, texts that parse() does not
    read back.  The exit code is 0 if it finds nothing, and 1 if it finds a mistake or if no game ended.

    \b
    plywise check mygame.py
    plywise check mygame.py:Class --games 200 --seed 7
    plywise check mygame.py --seconds 60
    plywise check connect-four
    """
    from plywise.inputs.choose import choose_class, choose_game
    from plywise.study.check import check_game

    with busy(f"Preparing {game}") as display:
        found, parameters = choose_class(game)
        chosen = choose_game(game) if parameters else found
        display.say("Playing random games")
        report = check_game(chosen, games=games, seed=seed, seconds=seconds)
    if as_json:
        print_json(report.to_json())
    else:
        output().print(str(report))
    raise typer.Exit(OK if report.ok else WRONG)
