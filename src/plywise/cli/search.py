"""``plywise search``: the best move within a limit."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.failure import INTERRUPTED
from plywise.cli.on_cluster import ClusterOption, InsecureOption, TlsOption, Watch, executor_at
from plywise.cli.options import (
    TABLE_ANSWERS,
    WORKERS_SEARCH,
    AlgorithmOption,
    AllMovesOption,
    CompileOption,
    DepthOption,
    EndingsOption,
    ExtraOption,
    GameArgument,
    JsonOption,
    NetworkOption,
    PositionOption,
    SecondsOption,
    TableFileOption,
    TableOption,
    ThreadsOption,
    explains_games,
    given,
    read_extras,
    refuse,
)
from plywise.cli.results import News, print_result
from plywise.cli.screen import busy
from plywise.errors import SearchError

if TYPE_CHECKING:
    from plywise.game import Game


@explains_games
def search(
    game: GameArgument,
    position: PositionOption = None,
    depth: DepthOption = None,
    seconds: SecondsOption = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", "-n", metavar="N", help="Deepen until N positions are visited.")
    ] = None,
    algorithm: AlgorithmOption = None,
    exact: Annotated[
        bool | None,
        typer.Option(
            "--exact/--no-exact", help="Require minimax's exact value. Default: if --depth is the only limit."
        ),
    ] = None,
    threads: ThreadsOption = None,
    table_mb: TableOption = None,
    all_moves: AllMovesOption = False,
    table: TableFileOption = None,
    endings: EndingsOption = None,
    network: NetworkOption = None,
    compile: CompileOption = None,
    option: ExtraOption = None,
    cluster: ClusterOption = None,
    tls: TlsOption = None,
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find the best move and the value of a position, within a limit.

    The engine searches unless --algorithm names another search.  The engine needs a limit: --depth, --seconds or
    --nodes.  With --seconds or --nodes it deepens ply by ply and skips moves that look irrelevant, unless you add
    --exact.  Ctrl-C stops it and prints the best result so far.  With --table nothing is searched: the answer is looked
    up in a file that 'plywise tabulate' wrote.  With --endings the engine searches until it meets a position of such a
    file, as with an endgame database.

    With --cluster, all workers search together, to a --depth, or for --seconds with --exact.

    With --seconds or --nodes, a terminal shows a line for each depth: the value, the time, the number of positions, the
    speed, how full the table is, and the line of best play.

    \b
    plywise search connect-four --seconds 1
    plywise search connect-four -s 10 --threads 2 --table-mb 256
    plywise search connect-four -s 10 --exact
    plywise search connect-four -s 10 -o reductions=false
    plywise search connect-four -s 1 --algorithm mcts
    plywise search connect-four -s 1 --compile later
    plywise search connect-four -d 12 --algorithm jamboree --threads 2
    plywise search connect-four -p 4455 -d 10 --all-moves
    plywise search connect-four -d 24 --cluster local
    plywise search connect-four:5,4 -p 3344 --table 5x4.table
    plywise search chess -p "8/8/8/4k3/3n4/8/1K6/3R4 w - - 0 1" -s 5 --endings krk.table
    plywise search mnk:6,6,4 -s 1 --network six.net
    plywise search tic-tac-toe -p XO./.X./..O --algorithm alphabeta
    plywise search red-blue -a alphabeta -o alpha=-2 -o beta=5 -o strict=true
    """
    from plywise.algorithms import algorithm_named
    from plywise.inputs.choose import choose_game
    from plywise.search import search as find

    if table is not None:
        refuse(
            TABLE_ANSWERS, depth=depth, seconds=seconds, nodes=nodes, algorithm=algorithm, exact=exact, threads=threads,
            table_mb=table_mb, endings=endings, network=network, compile=compile, option=option, cluster=cluster,
        )  # fmt: skip
        _look_up(choose_game(game), table, position, all_moves, as_json)
        return
    if cluster is not None:
        refuse(WORKERS_SEARCH, algorithm=algorithm, threads=threads, compile=compile)
    if cluster is not None and (nodes is not None or (seconds is not None and not exact)):
        raise SearchError("with --cluster, all workers search exactly: give --depth, or --seconds and --exact")
    needs_limit = algorithm is None or algorithm_named(algorithm).needs_limit
    if needs_limit and depth is None and seconds is None and nodes is None:
        raise SearchError("a search needs a limit: --depth, --seconds or --nodes (or an exact --algorithm)")
    extras = read_extras(option) | given(
        exact=exact, threads=threads, table_mb=table_mb, compile=compile, network=network, endings=endings
    )
    clock = seconds is not None or nodes is not None or cluster is not None
    with busy(f"Preparing {game}") as display, executor_at(cluster, tls, insecure, display) as executor:
        chosen = choose_game(game)
        news = News(Watch(display, "Searching", executor), shown=clock and not as_json)
        if executor is not None:
            extras["on_progress"] = news.narrowed
        try:
            result = find(
                chosen, position, depth=depth, seconds=seconds, nodes=nodes, all_moves=all_moves,
                algorithm=algorithm, on_info=news, executor=executor, **extras,
            )  # fmt: skip
        except KeyboardInterrupt:
            if news.latest is None:
                raise
            result = dataclasses.replace(news.latest, interrupted=True)
    print_result(result, as_json)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)


def _look_up(game: Game, file: Path, position: str | None, all_moves: bool, as_json: bool) -> None:
    """Print what a table says about a position."""
    from plywise.tables import load

    print_result(load(file, game).search(position, all_moves), as_json)
