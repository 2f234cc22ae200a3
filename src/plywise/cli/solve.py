"""``plywise solve``: find the exact value, and prove it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.failure import INTERRUPTED
from plywise.cli.on_cluster import ClusterOption, InsecureOption, TlsOption, Watch, executor_at
from plywise.cli.options import (
    WORKERS_SEARCH,
    AlgorithmOption,
    AllMovesOption,
    CompileOption,
    EndingsOption,
    ExtraOption,
    GameArgument,
    JsonOption,
    PositionOption,
    TableOption,
    ThreadsOption,
    explains_games,
    given,
    read_extras,
    refuse,
)
from plywise.cli.results import News, print_result, show_result
from plywise.cli.screen import busy, output, print_json
from plywise.cli.verify import verify_command
from plywise.io.files import check_target

if TYPE_CHECKING:
    from plywise.game import Game
    from plywise.result import Result


@explains_games
def solve(
    game: GameArgument,
    position: PositionOption = None,
    algorithm: AlgorithmOption = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove the value with a strategy for each side; check the proof.")
    ] = False,
    proof: Annotated[
        Path | None,
        typer.Option("--proof", metavar="FILE", help="Prove it, and write the proof to FILE (.gz: compressed)."),
    ] = None,
    weak: Annotated[bool, typer.Option("--weak", help="Find only who wins: 1 is Max, -1 is Min, 0 is a draw.")] = False,
    threads: ThreadsOption = None,
    table_mb: TableOption = None,
    all_moves: AllMovesOption = False,
    endings: EndingsOption = None,
    compile: CompileOption = None,
    option: ExtraOption = None,
    cluster: ClusterOption = None,
    tls: TlsOption = None,
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find the exact value by searching to the end of the game.

    The engine searches unless --algorithm names another search.  --algorithm mcts plays random games until the value is
    proven.

    --prove and --proof find a strategy for each side that guarantees the value.  A checker that knows only the rules
    then follows both.  'plywise verify' checks a proof file again.

    In a terminal the engine shows the bounds proven so far.  Ctrl-C prints them and stops.  With --cluster, all workers
    solve the position together; they compile first, which takes a while when they meet a game for the first time.

    \b
    plywise solve tic-tac-toe --prove
    plywise solve connect-four:5,4 --proof proof.gz
    plywise solve connect-four -p 44455554221
    plywise solve connect-four -p 4455 --threads 2 --table-mb 512
    plywise solve connect-four -p 4455 --cluster local
    plywise solve mnk:4,3,3 --weak
    plywise solve mnk:4,3,3 --algorithm pvs
    """
    from plywise.inputs.choose import choose_game
    from plywise.proof.proof import write_proof
    from plywise.proof.prove import check_provable, with_proof
    from plywise.search import solve as find

    if proof is not None:
        check_target(proof)
    proved = prove or proof is not None
    if cluster is not None:
        refuse(WORKERS_SEARCH, algorithm=algorithm, threads=threads, compile=compile)
    extras = read_extras(option) | given(
        threads=threads, table_mb=table_mb, weak=weak or None, endings=endings, compile=compile
    )
    with busy(f"Preparing {game}") as display, executor_at(cluster, tls, insecure, display) as executor:
        chosen = choose_game(game)
        if proved:
            check_provable(chosen, algorithm, weak)
        news, interrupted = News(Watch(display, "Solving", executor), shown=not as_json), False
        try:
            result = find(
                chosen, position, algorithm=algorithm, all_moves=all_moves, on_info=news, on_progress=news.narrowed,
                executor=executor, **extras,
            )  # fmt: skip
            news.latest = result
            if proved:
                display.begin("Proving")
                result = with_proof(result, display.tell)
            if proof is not None:
                display.begin("Writing the proof")
                write_proof(result.proof, proof, game, display.tell)
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        _show_unfinished(chosen, position, news, as_json)
        raise typer.Exit(INTERRUPTED)
    if proof is None:
        print_result(result, as_json)
    elif as_json:
        print_json(_report_with_file(result, proof))
    else:
        show_result(output(), result)
        output().print(f"written   to {proof}; check it again with: {verify_command(proof, game)}")


def _show_unfinished(game: Game, position: str | None, news: News, as_json: bool) -> None:
    """Print the result so far after Ctrl-C: a value without its proof, the last depth, or the proven bounds."""
    from plywise.inputs.positions import position as position_of

    if news.latest is not None:
        print_result(dataclasses.replace(news.latest, interrupted=True), as_json)
        return
    if news.progress is None:
        raise KeyboardInterrupt
    progress, state = news.progress, position_of(game, position)
    if as_json:
        print_json({
            "game": repr(game), "position": game.format(state), "low": progress.low, "high": progress.high,
            "nodes": progress.nodes, "seconds": round(progress.seconds, 6), "interrupted": True,
        })  # fmt: skip
        return
    output().print(f"{game.board(state)}\n")
    output().print(f"value     {progress}{'' if str(progress) == 'unknown' else ' (proven)'}")
    output().print(f"searched  by engine: {progress.nodes:,} nodes, {progress.seconds:.3g} s (interrupted)")


def _report_with_file(result: Result, file: Path) -> dict[str, Any]:
    """Return the JSON report, with the proof's file and sizes instead of the proof."""
    proof = result.proof
    report = dataclasses.replace(result, proof=None).to_json()
    return {**report, "proof": {"file": str(file), "max": len(proof.proof), "min": len(proof.disproof)}}
