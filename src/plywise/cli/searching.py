"""``plywise search`` and ``plywise solve``: the public face of the library, on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

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
    proof: Annotated[
        bool, typer.Option("--proof", help="Prove the value by a strategy for each side, and check it.")
    ] = False,
    all_moves: AllMovesOption = False,
    option: ExtraOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the exact value, by searching to the end of the game.

    With --proof, two boolean searches find a strategy for each side that guarantees the value, and a checker that
    knows nothing but the rules follows both.

    \b
    plywise solve tic-tac-toe --proof
    plywise solve connect-four -p 44455554221
    plywise solve mnk:4,3,3 --algorithm pvs
    """
    from plywise.algorithms import check_proof
    from plywise.cli.choose import choose_game
    from plywise.search import solve as find

    extras = read_extras(option)
    with busy(f"Preparing {game}") as work:
        chosen = choose_game(game)
        work.say("Solving")
        result = find(chosen, position, algorithm=algorithm, all_moves=all_moves, proof=proof, **extras)
        if proof:
            work.say("Checking the proof")
            check_proof(result.proof)
    _show(result, as_json)


def show_result(out: Console, result: Result) -> None:
    """Print the position, what was found, and whether there is a proof."""
    out.print(f"{result.game.board(result.state)}\n")
    out.print(str(result))
    if result.proof is not None:
        out.print(_proof_text(result))
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


def _proof_text(result: Result) -> str:
    name, proof = result.game.player_name, result.proof
    return (
        f"proof     checked: {name(0)} gets at least {result.value} (a strategy of {len(proof.proof):,} moves), "
        f"{name(1)} at most {result.value} (of {len(proof.disproof):,})"
    )
