"""``plywise match``: play two bots against each other and estimate which is stronger."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import math
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.failure import INTERRUPTED, complain, complain_of, stopped
from plywise.cli.on_cluster import ClusterOption, InsecureOption, TlsOption, Watch, executor_at
from plywise.cli.options import ITS_OWN_WORKERS, GameArgument, JsonOption, explains_games, refuse
from plywise.cli.screen import (
    Display,
    compiling_text,
    duration,
    messages,
    output,
    print_json,
    print_table,
    table,
    watched_compiling,
)
from plywise.errors import SearchError, printable, shortened

if TYPE_CHECKING:
    from plywise.compiling.progress import Compiling
    from plywise.match.bots import BotSpec
    from plywise.match.standing import Standing
    from plywise.match.time_control import Limits

MOST_FAULTS = 10
"""How many faults to report on stderr; the games file has them all."""

LONGEST_NAME = 60
"""The most characters shown of a bot's name."""


@explains_games
def match(
    game: GameArgument,
    rival: Annotated[
        str | None,
        typer.Argument(metavar="OTHER", help="The second bot's game: same rules, another evaluation."),
    ] = None,
    first: Annotated[str, typer.Option("--first", "-1", metavar="BOT", help="The first bot; see above.")] = "engine",
    second: Annotated[str, typer.Option("--second", "-2", metavar="BOT", help="The second bot.")] = "engine",
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", help="Number of games.")] = 100,
    clock: Annotated[
        str | None,
        typer.Option("--clock", metavar="TIME", help="A clock, such as 3:00+2, 10+0.1 (seconds) or 40/5:00."),
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", "-s", metavar="S", help="Seconds per move.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", metavar="N", help="Positions per move.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", metavar="N", help="Plies per move.")] = None,
    openings: Annotated[
        Path | None,
        typer.Option("--openings", metavar="FILE", help="Start positions, one per line, played in random order."),
    ] = None,
    random_plies: Annotated[
        int, typer.Option("--random-plies", metavar="N", help="Start with N random moves, the same for both sides.")
    ] = 0,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", "-c", metavar="N", help="Games to play at once. Default: one.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop when a test accepts one of these Elo differences."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the games as JSON lines, and resume from them.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record", "--pgn", metavar="FILE", help="Also write them in the game's own format, such as PGN or SGF."
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore what FILE holds and start over.")] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Random seed.")] = 0,
    margin: Annotated[float, typer.Option("--margin", metavar="S", help="Seconds a move may be late.")] = 0.1,
    most_plies: Annotated[int, typer.Option("--most-plies", metavar="N", help="Call a game of N plies a draw.")] = 2000,
    resign: Annotated[
        str | None,
        typer.Option(
            "--resign", metavar="VALUE,MOVES", help="Call a game won when both rate it VALUE for MOVES moves."
        ),
    ] = None,
    draw: Annotated[
        str | None,
        typer.Option(
            "--draw", metavar="VALUE,MOVES,PLY", help="Call it drawn when both stay within VALUE of 0, after PLY."
        ),
    ] = None,
    cluster: ClusterOption = None,
    tls: TlsOption = None,
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play two bots against each other.

    Each opening is played twice, with sides swapped; of an odd number of games, the last only once.  The table shows
    the first bot's result and the Elo difference with 95 % error bars, computed from pairs of games.  A bot that moves
    late, illegally or not at all loses; the report names the game.

    A bot is the engine with its options, random, the name of an algorithm or, for chess and Go, a program:

    \b
      engine,nodes=20000,null_move=off   random   mcts,seconds=0.1   alphabeta,depth=4
      uci:stockfish,Skill Level=8        xboard:gnuchess,name=GNU   'gtp:gnugo --mode gtp --level 10'

    In games with dice an umpire rolls; both games of a pair have the same dice.

    Set clock, seconds, nodes and depth for each bot, or for both with the options below.  With --out you can stop a
    match at any time, even kill it; the same command resumes it, also with more --games.

    With two games, you compare two evaluations: the first bot plays GAME, the second OTHER.  Both must have the same
    rules; those of GAME decide.

    \b
    plywise match mine.py:Mine better.py:Mine --nodes 5000 --random-plies 4
    plywise match connect-four -1 engine,nodes=20000 -2 mcts,nodes=20000 --random-plies 4
    plywise match connect-four -1 engine -2 engine,killers=off --clock 10+0.1 --openings book.txt --out games.jsonl
    plywise match connect-four --nodes 5000 -2 engine,reductions=off --sprt 0,10 --games 10000 --concurrency 2
    plywise match chess -2 engine,network=none --clock 8+0.08 --games 1000 --out games.jsonl --cluster 127.0.0.1:8786
    """
    from plywise.inputs.choose import choose_game
    from plywise.match.arena import Conditions, Decision
    from plywise.match.elo import SPRT
    from plywise.match.match import match as play
    from plywise.match.time_control import Limits, TimeControl

    if cluster is not None:
        refuse(ITS_OWN_WORKERS, concurrency=concurrency)
    chosen = choose_game(game)
    other = None if rival is None else choose_game(rival)
    conditions = Conditions(
        margin,
        most_plies,
        resign=Decision.parse(resign) if resign else None,
        draw=Decision.parse(draw) if draw else None,
    )
    limits = Limits(TimeControl.parse(clock) if clock else None, seconds, nodes, depth)
    latest: Standing | None = None
    with _live() as board, executor_at(cluster, tls, insecure, board) as executor:
        watch = Watch(board, "Playing", executor)

        def tell(standing: Standing) -> None:
            nonlocal latest
            latest = standing
            board.show(standing)
            watch.tell(standing.played, standing.games)

        try:
            ended = play(
                chosen, *_bots((first, second), limits, (game, rival)), games=games, limits=limits, openings=openings,
                random_plies=random_plies, conditions=conditions, sprt=SPRT.parse(sprt) if sprt else None,
                concurrency=concurrency, executor=executor, seed=seed, out=out, record=record, fresh=fresh,
                make_game=partial(choose_game, game), rival=other, on_game=tell,
                make_rival=None if rival is None else partial(choose_game, rival),
            )  # fmt: skip
        except KeyboardInterrupt:
            ended = None
        except SearchError:
            if latest is not None and latest.played:
                complain(stopped("games", latest.played, games, out, fresh))
            raise
    if ended is not None:
        _show(ended, out, as_json, seed)
        return
    if latest is not None:
        _show(latest, out, as_json, seed)
    complain(stopped("games", latest.played if latest else 0, games, out, fresh))
    raise typer.Exit(INTERRUPTED)


def _bots(texts: tuple[str, str], limits: Limits, games: tuple[str, str | None]) -> list[BotSpec]:
    """Return both bots.  If each has its own game, that is the bot's default name."""
    from plywise.match.bots import BotSpec

    specs = [BotSpec.parse(text, limits) for text in texts]
    if games[1] is None:
        return specs
    return [dataclasses.replace(spec, name=spec.name or name or "") for spec, name in zip(specs, games, strict=True)]


class _Board(Display):
    """The standing during a match, and who plays it."""

    text = "Preparing"
    standing: Standing | None = None

    def show(self, standing: Standing) -> None:
        """Show another standing."""
        self.standing, self.text = copy.deepcopy(standing), ""  # another thread draws it

    def say(self, text: str) -> None:
        self.text = text

    begin = say

    def compiling(self, news: Compiling | None) -> None:
        self.text = compiling_text(news) if news else ""

    def picture(self) -> Any:
        """Return what a terminal shows."""
        from rich.console import Group
        from rich.text import Text

        standing = self.standing
        if standing is None:
            return Text(self.text)
        games = f"\n{standing.played:,} of {standing.games:,} games. {_summary(standing)}"
        return Group(_table(standing), Text(games), *([Text(self.text)] if self.text else []))


@contextlib.contextmanager
def _live() -> Iterator[_Board]:
    """Show the standing during the match, if stderr is a terminal."""
    board = _Board(messages())
    if not board.console.is_terminal:
        with watched_compiling():
            yield board
        return
    from rich.live import Live

    with (
        Live(get_renderable=board.picture, console=board.console, transient=True) as live,
        watched_compiling(board.compiling, live.stop),
    ):
        yield board


def _table(standing: Standing) -> Any:
    columns = ("games", "won", "drawn", "lost", "score", "Elo")
    shown = table("", *columns, right=columns)
    wins, losses, about = standing.wins, standing.losses, standing.estimate
    rows = (
        (_name(standing, 0), wins, losses, standing.score, about[:3] if any(standing.pairs) else None),
        (_name(standing, 1), losses, wins, None if standing.score is None else 1 - standing.score, None),
    )
    for name, won, lost, score, difference in rows:
        shown.add_row(
            name, f"{standing.played:,}", f"{won:,}", f"{standing.draws:,}", f"{lost:,}",
            "" if score is None else f"{score:.1%}", "" if difference is None else elo_text(*difference),
        )  # fmt: skip
    return shown


def _name(standing: Standing, bot: int) -> str:
    """Return a bot's name for the table."""
    return printable(shortened(standing.names[bot], LONGEST_NAME))


def elo_text(middle: float, low: float, high: float) -> str:
    """Return a difference in Elo with its error bars.

    >>> elo_text(12.3, -4.0, 29.1), elo_text(math.inf, 560.2, math.inf)
    ('+12 (-4 to +29)', '+∞ (+560 to +∞)')
    """
    middle_text, low_text, high_text = (
        f"{'+' if end > 0 else '-'}∞" if math.isinf(end) else f"{end:+.0f}" for end in (middle, low, high)
    )
    return f"{middle_text} ({low_text} to {high_text})"


def _summary(standing: Standing) -> str:
    """Return the sentences below the table."""
    words = []
    if any(standing.pairs):
        stronger = f"is stronger with a probability of {standing.estimate.superiority:.1%}"
        words.append(f"Pairs with 0, ½, 1, 1½, 2 points: {' '.join(map(str, standing.pairs))}.")
        words.append(f"{_name(standing, 0)} {stronger}.")
    if standing.mean is not None:
        words.append(f"Mean score: {standing.mean:+.3f}.")
    if standing.sprt is not None:
        test = standing.sprt
        state = {None: "open", "H0": f"{test.elo0:g} accepted", "H1": f"{test.elo1:g} accepted"}[standing.verdict]
        words.append(f"SPRT {test.elo0:g} or {test.elo1:g} Elo: {standing.ratio:+.2f} "
                     f"({test.lower:.2f} to {test.upper:.2f}), {state}.")  # fmt: skip
    for (bot, reason), count in sorted(standing.fault_counts().items()):
        words.append(f"Lost by {reason}: {bot} {count}.")
    return " ".join(words)


def _show(standing: Standing, out: Path | None, as_json: bool, seed: int) -> None:
    if as_json:
        print_json(standing.to_json())
    else:
        dice = "" if standing.mean is None else f"Dice from seed {seed}."
        print_table(_table(standing))
        words = filter(None, (_summary(standing), dice, f"{duration(standing.seconds)}."))
        output().print(f"\n{' '.join(words)}")
    if standing.damaged:
        complain(f"{out}: damaged games, played again: {standing.damaged:,}")
    complain_of([_fault_text(fault) for fault in standing.faults], MOST_FAULTS, "games")


def _fault_text(fault: Mapping[str, Any]) -> str:
    return f"game {fault['game']}: {fault['bot']} lost: {fault['reason']}: {fault['detail']}"
