"""``plywise search`` and ``plywise solve``: the public face of the library, on the command line."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.failure import INTERRUPTED
from plywise.cli.options import (
    AlgorithmOption,
    DepthOption,
    ExtraOption,
    GameArgument,
    JsonOption,
    PositionOption,
    SecondsOption,
    explains_games,
    read_extras,
)
from plywise.cli.screen import Work, busy, output, print_json
from plywise.errors import SearchError

if TYPE_CHECKING:
    from rich.console import Console

    from plywise.result import Result

AllMovesOption = Annotated[bool, typer.Option("--all-moves", help="Also find the value of every move.")]


@explains_games
def search(
    game: GameArgument,
    position: PositionOption = None,
    depth: DepthOption = None,
    seconds: SecondsOption = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", metavar="N", help="Deepen until N positions.")] = None,
    algorithm: AlgorithmOption = None,
    all_moves: AllMovesOption = False,
    option: ExtraOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the best move and the value of a position, within a limit.

    Without --algorithm, alpha-beta with a memo searches, and a limit is needed: --depth, --seconds or --nodes.

    \b
    plywise search connect-four --seconds 1
    plywise search connect-four -p 4455 -d 10 --all-moves
    plywise search tic-tac-toe -p XO./.X./..O --algorithm alphabeta
    plywise search red-blue -a alphabeta -o alpha=-2 -o beta=5 -o strict=true
    """
    from plywise.cli.choose import choose_game
    from plywise.search import search as find

    if algorithm is None and depth is None and seconds is None and nodes is None:
        raise SearchError("a search needs a limit: --depth, --seconds or --nodes (or the name of an exact --algorithm)")
    extras = read_extras(option)
    clock = seconds is not None or nodes is not None
    with busy(f"Preparing {game}") as work:
        chosen = choose_game(game)
        work.say("Searching")
        news = News(work, shown=clock and not as_json)
        try:
            result = find(
                chosen, position, depth=depth, seconds=seconds, nodes=nodes, all_moves=all_moves,
                algorithm=algorithm, on_info=news, **extras,
            )  # fmt: skip
            interrupted = result.interrupted
        except KeyboardInterrupt:
            if news.latest is None:
                raise
            result, interrupted = news.latest, True
    _show(result, as_json)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


@explains_games
def solve(
    game: GameArgument,
    position: PositionOption = None,
    algorithm: AlgorithmOption = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove the value by a strategy for each side, and check it.")
    ] = False,
    proof: Annotated[
        Path | None,
        typer.Option("--proof", metavar="FILE", help="Do so, and write the proof to FILE (.gz: compressed)."),
    ] = None,
    all_moves: AllMovesOption = False,
    option: ExtraOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the exact value, by searching to the end of the game.

    With --prove or --proof, a strategy for each side is found that guarantees the value, and a checker that knows
    nothing but the rules follows both.  A file that --proof wrote can be checked again by 'plywise verify'.

    \b
    plywise solve tic-tac-toe --prove
    plywise solve connect-four:5,4 --proof proof.gz
    plywise solve connect-four -p 44455554221
    plywise solve mnk:4,3,3 --algorithm pvs
    """
    from plywise.cli.choose import choose_game
    from plywise.proof import write_proof
    from plywise.search import solve as find
    from plywise.verify import check_proof

    if proof is not None and not proof.resolve().parent.is_dir():
        raise SearchError(f"--proof {str(proof)!r}: there is no folder {str(proof.resolve().parent)!r}")
    proved = prove or proof is not None
    extras = read_extras(option)
    with busy(f"Preparing {game}") as work:
        chosen = choose_game(game)
        work.say("Solving")
        result = find(chosen, position, algorithm=algorithm, all_moves=all_moves, proof=proved, **extras)
        if proved:
            work.say("Checking the proof")
            check_proof(result.proof, work.tell)
        if proof is not None:
            work.say("Writing the proof")
            write_proof(result.proof, proof, game, work.tell)
    if proof is None:
        _show(result, as_json)
    elif as_json:
        print_json(_report_with_file(result, proof))
    else:
        show_result(output(), result)
        output().print(f"written   to {proof}; 'plywise verify {proof}' checks it again")


def show_result(out: Console, result: Result) -> None:
    """Print the position, what was found, and whether there is a proof."""
    out.print(f"{result.game.board(result.state)}\n")
    out.print(str(result))
    if result.proof is not None:
        out.print(f"proof     checked: {result.proof.summary()}")
    if not result.compiled:
        out.print("(plain Python ran, not machine code)", style="dim")


def show_depth(out: Console, result: Result) -> None:
    """Print the line of a finished depth, as chess programs do."""
    line = " ".join(result.line_text()[:12]) + (" …" if len(result.line) > 12 else "")
    effort = f"{result.seconds:>6.2f} s  {result.nodes:>13,} nodes"
    out.print(f"depth {result.depth or 0:>3}  value {result.value!s:>4}  {effort}  {line}", style="dim")


def _show(result: Result, as_json: bool) -> None:
    if as_json:
        print_json(result.to_json())
    else:
        show_result(output(), result)


def _report_with_file(result: Result, file: Path) -> dict[str, Any]:
    """Return what programs read; of the proof, only where it is and how many moves it has."""
    proof = result.proof
    report = dataclasses.replace(result, proof=None).to_json()
    return {**report, "proof": {"file": str(file), "max": len(proof.proof), "min": len(proof.disproof)}}


class News:
    """Keeps the result of the last finished depth, and tells a person who waits about every one."""

    def __init__(self, work: Work, shown: bool) -> None:
        self.latest: Result | None = None
        self.console = work.console
        self.shown = shown and work.console.is_terminal

    def __call__(self, result: Result) -> None:
        self.latest = result
        if self.shown:
            show_depth(self.console, result)
