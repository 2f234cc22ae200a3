"""``plywise train``: learn an evaluation by playing."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.failure import INTERRUPTED, complain
from plywise.cli.on_cluster import ClusterOption, InsecureOption, TlsOption, Watch, executor_at
from plywise.cli.options import GameArgument, JsonOption, explains_games, given
from plywise.cli.screen import busy, duration, output, print_json, print_table, short, table
from plywise.io.files import check_target

if TYPE_CHECKING:
    from plywise.learning.train import News, Training

FAILED = 1


@explains_games
def train(
    game: GameArgument,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file of the network.")],
    hours: Annotated[
        float, typer.Option("--hours", metavar="H", help="How long this run may take, with compiling and matches.")
    ] = 1.0,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FILE", help="Learn from these positions alone; play none.")
    ] = None,
    positions: Annotated[
        Path | None,
        typer.Option("--positions", metavar="FILE", help="Collect the positions here. Default: FILE.positions."),
    ] = None,
    hidden: Annotated[
        int | None, typer.Option("--hidden", min=0, max=256, metavar="N", help="Hidden units; 0: linear. Default: 32.")
    ] = None,
    correct: Annotated[
        bool | None,
        typer.Option(
            "--correct/--alone",
            help="Correct the game's own evaluation, or replace it. Default: correct, if there is one.",
        ),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, metavar="N", help="Positions to search for a move. Default: 500.")
    ] = None,
    opening: Annotated[
        int | None, typer.Option("--opening", min=0, metavar="N", help="Begin with up to N random moves. Default: 10.")
    ] = None,
    slips: Annotated[
        int | None, typer.Option("--slips", min=0, metavar="N", help="Play one move in N at random. Default: 40.")
    ] = None,
    walks: Annotated[
        int | None,
        typer.Option(
            "--walks",
            min=0,
            metavar="N",
            help="Add N positions beside each, after random moves. Default: 2 with Tactics, else 0.",
        ),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option("--epochs", min=1, metavar="N", help="Learn N times from each position. Default: 8.")
    ] = None,
    match_nodes: Annotated[
        int | None,
        typer.Option(
            "--match-nodes", min=1, metavar="N", help="Positions to search for a move in matches. Default: 1000."
        ),
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", "-t", min=1, metavar="N", help="Use N processors. Default: all.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="N", help="Random seed.")] = 0,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Plot losses and Elo, as .png, .svg or .pdf (needs matplotlib)."),
    ] = None,
    cluster: ClusterOption = None,
    tls: TlsOption = None,
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Learn an evaluation by playing a game against itself.

    Each round plays games, learns a network from all positions so far, and lets it play a match against the evaluation
    before.  If it is better, it is written to --out, and plays the games of the next round.  Ctrl-C ends it; the same
    command goes on where it was.  'plywise search' uses the network with --network FILE, a bot of a match with
    network=FILE.

    \b
    plywise train mnk:6,6,4 --hours 0.2 --out six.net
    plywise train mygame.py --hours 1 --out mine.net --plot mine.png
    plywise train chess --hours 8 --out chess.net --hidden 64
    plywise train chess --hours 8 --out chess.net --cluster 127.0.0.1:8786
    plywise train chess --data chess.net.positions --out again.net
    plywise match mnk:6,6,4 -1 engine,network=six.net -2 engine,network=none --nodes 2000 --random-plies 4
    """
    from plywise.inputs.choose import choose_game
    from plywise.io.plot import check_plot

    if plot is not None:
        check_plot(plot)
        check_target(plot)
    with busy("Preparing") as display, executor_at(cluster, tls, insecure, display) as executor:
        chosen = choose_game(game)
        from plywise.learning.self_play import SelfPlayOptions
        from plywise.learning.train import train as learn
        from plywise.learning.train import usual_options

        watch = Watch(display, "Preparing", executor)
        least = {} if opening is None else {"least_opening": min(SelfPlayOptions.least_opening, opening)}
        options = usual_options(chosen, **given(nodes=nodes, most_opening=opening, slips=slips, walks=walks), **least)
        found = learn(
            chosen, out, hours=hours, data=data, positions=positions, corrects=correct, options=options,
            seed=seed, make_game=partial(choose_game, game), executor=executor, on_news=partial(_tell, watch),
            **given(hidden=hidden, epochs=epochs, match_nodes=match_nodes, threads=threads),
        )  # fmt: skip
    if plot is not None and found.rounds:
        found.write_plot(plot)
    if as_json:
        print_json(found.to_json())
    else:
        _show(found, out)
    if found.interrupted:
        complain(f"stopped; {found.positions:,} positions are kept, and the same command goes on from here")
        raise typer.Exit(INTERRUPTED)
    if found.network is None and found.is_solved:
        complain("the game is so small that the search solves it: there is nothing to learn")
        raise typer.Exit(FAILED)
    if found.network is None:
        why = "no network was better than the evaluation before" if found.rounds else "there was no time to learn"
        complain(f"{why}: train longer, or with other options; the same command goes on from here")
        raise typer.Exit(FAILED)


def _tell(watch: Watch, news: News) -> None:
    """Show what is going on."""
    elo = sum(each.elo for each in news.rounds if each.is_better)
    facts = [f"Round {len(news.rounds) + 1}: {news.stage}", f"{short(news.positions)} positions"]
    if news.rounds:
        facts.append(f"loss {min(news.rounds[-1].held_out):.4f}, {elo:+.0f} Elo")
    if news.standing is not None and news.standing.score is not None:
        facts.append(f"score {news.standing.score:.0%} in {news.standing.played} games")
    watch.say(" · ".join(facts))
    watch.display.tell(news.done, news.total or 1)


def _show(found: Training, out: Path) -> None:
    """Print the rounds and what they led to."""
    if found.rounds:
        columns = ("round", "positions", "loss", "games", "score", "Elo")
        shown = table(*columns, "", right=columns)
        for number, each in enumerate(found.rounds, 1):
            shown.add_row(
                str(number), f"{each.positions:,}", f"{min(each.held_out):.4f}",
                f"{each.games:,}", f"{each.score:.1%}", f"{each.elo:+.0f}", "better" if each.is_better else "",
            )  # fmt: skip
        print_table(shown)
    where = f"{out}, {found.elo:+.0f} Elo over what it began with" if found.network is not None else "none"
    output().print(f"\nNetwork: {where}. {found.positions:,} positions, {duration(found.seconds)}.")
