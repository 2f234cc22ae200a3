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
    TableOption,
    ThreadsOption,
    explains_games,
    read_extras,
)
from plywise.cli.screen import Work, busy, output, print_json, short
from plywise.cli.verifying import verify_command
from plywise.errors import SearchError
from plywise.io.files import check_target

if TYPE_CHECKING:
    from rich.console import Console

    from plywise.engine.progress import Progress
    from plywise.game import Game
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
    exact: Annotated[
        bool | None,
        typer.Option(
            "--exact/--no-exact", help="Whether the value must be minimax's. Default: if --depth alone is given."
        ),
    ] = None,
    threads: ThreadsOption = None,
    table_mb: TableOption = None,
    all_moves: AllMovesOption = False,
    option: ExtraOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the best move and the value of a position, within a limit.

    Without --algorithm, the engine searches, and a limit is needed: --depth, --seconds or --nodes.  With a clock it
    goes deeper and deeper, and leaves out what seems not to matter unless --exact forbids it.  Ctrl-C ends it with the
    best so far.

    In a terminal every finished depth is told: the value, the time, positions visited, the speed, how full the table
    is, and the line of best play.

    \b
    plywise search connect-four --seconds 1
    plywise search connect-four -s 10 --threads 2 --table-mb 256
    plywise search connect-four -s 10 --exact
    plywise search connect-four -s 10 -o reductions=false
    plywise search connect-four -s 1 --algorithm mcts
    plywise search connect-four -p 4455 -d 10 --all-moves
    plywise search tic-tac-toe -p XO./.X./..O --algorithm alphabeta
    plywise search red-blue -a alphabeta -o alpha=-2 -o beta=5 -o strict=true
    """
    from plywise.inputs.choose import choose_game
    from plywise.search import search as find

    if algorithm in (None, "engine") and depth is None and seconds is None and nodes is None:
        raise SearchError("a search needs a limit: --depth, --seconds or --nodes (or the name of an exact --algorithm)")
    extras = read_extras(option) | _given(exact=exact, threads=threads, table_mb=table_mb)
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
        except KeyboardInterrupt:
            if news.latest is None:
                raise
            result = dataclasses.replace(news.latest, interrupted=True)
    _show(result, as_json)
    if result.interrupted:
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
    weak: Annotated[bool, typer.Option("--weak", help="Find only who wins: 1 is Max, -1 is Min, 0 is nobody.")] = False,
    threads: ThreadsOption = None,
    table_mb: TableOption = None,
    all_moves: AllMovesOption = False,
    option: ExtraOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the exact value, by searching to the end of the game.

    Without --algorithm, the engine does it.  Random games (mcts) go on until the value is proven.

    With --prove or --proof, a strategy for each side is found that guarantees the value, and a checker that knows
    nothing but the rules follows both.  A file that --proof wrote can be checked again by 'plywise verify'.

    In a terminal the engine shows what is proven so far.  Ctrl-C prints that and ends the search.

    \b
    plywise solve tic-tac-toe --prove
    plywise solve connect-four:5,4 --proof proof.gz
    plywise solve connect-four -p 44455554221
    plywise solve connect-four -p 4455 --threads 2 --table-mb 512
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
    extras = read_extras(option) | _given(threads=threads, table_mb=table_mb, weak=weak or None)
    with busy(f"Preparing {game}") as work:
        chosen = choose_game(game)
        if proved:
            check_provable(chosen, algorithm, weak)
        work.say("Solving")
        news, interrupted = News(work, shown=not as_json), False
        try:
            result = find(
                chosen, position, algorithm=algorithm, all_moves=all_moves, on_info=news, on_progress=news.narrowed,
                **extras,
            )  # fmt: skip
            news.latest = result
            if proved:
                work.say("Proving")
                result = with_proof(result, work.tell)
            if proof is not None:
                work.say("Writing the proof")
                write_proof(result.proof, proof, game, work.tell)
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        _show_unfinished(chosen, position, news, as_json)
        raise typer.Exit(INTERRUPTED)
    if proof is None:
        _show(result, as_json)
    elif as_json:
        print_json(_report_with_file(result, proof))
    else:
        show_result(output(), result)
        output().print(f"written   to {proof}; check it again with: {verify_command(proof, game)}")


def _show_unfinished(game: Game, position: str | None, news: News, as_json: bool) -> None:
    """Print what was found before Ctrl-C: a value without its proof, a depth, or the bounds that are proven."""
    from plywise.inputs.positions import position as position_of

    if news.latest is not None:
        _show(dataclasses.replace(news.latest, interrupted=True), as_json)
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


def show_result(out: Console, result: Result) -> None:
    """Print the position, what was found, and whether there is a proof."""
    from plywise.explain.titles import in_words

    out.print(in_words(result.game, capital=True), style="bold")
    out.print(f"\n{result.game.board(result.state)}\n")
    out.print(str(result))
    if result.proof is not None:
        out.print(f"proof     checked: {result.proof.summary()}")
    if not result.compiled:
        out.print("(plain Python ran, not machine code)", style="dim")


def show_depth(out: Console, result: Result) -> None:
    """Print the line of a finished depth, as chess programs do; of the line of play, as much as there is room for."""
    facts = f"depth {result.depth or 0:>3}  value {_value(result):>4}  {_effort(result)}"
    moves = result.line_text()
    shown = min(len(moves), MOST_MOVES)
    while shown > 1 and len(_line(moves, shown)) + len(facts) + 2 > out.width:
        shown -= 1
    out.print(f"{facts}  {_line(moves, shown)}", style="dim", no_wrap=True, overflow="ellipsis")


MOST_MOVES = 12
"""Of a line of play, in the report of a depth."""


def _line(moves: list[str], shown: int) -> str:
    return " ".join(moves[:shown]) + (" …" if len(moves) > shown else "")


def _value(result: Result) -> str:
    from plywise.explain.text import number

    return {"exact": "", "lower": "≥", "upper": "≤", "estimate": "≈"}[result.bound] + number(result.value)


def _effort(result: Result) -> str:
    full = "" if result.table_fill is None else f"  {result.table_fill:>4.0%} full"
    speed = short(result.nodes_per_second)
    return f"{result.seconds:>6.2f} s  {short(result.nodes):>5} nodes  {speed:>5}/s{full}"


def _given(**options: Any) -> dict[str, Any]:
    """Return the options that were given on the command line."""
    return {name: value for name, value in options.items() if value is not None}


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
    """Keeps the latest result, and tells a person who waits: about every depth a line, of random games the state."""

    def __init__(self, work: Work, shown: bool) -> None:
        self.latest: Result | None = None
        self.progress: Progress | None = None
        """What is proven of a value that is being solved."""
        self.work = work
        self.shown = shown and work.console.is_terminal

    def __call__(self, result: Result) -> None:
        self.latest = result
        if not self.shown:
            return
        if result.algorithm == "mcts":  # reports many times a second, and has no depths
            move = result.game.format_move(result.state, result.move)
            self.work.say(f"Searching: {move}, value {_value(result)} {_effort(result)}")
        elif result.depth is not None:
            show_depth(self.work.console, result)

    def narrowed(self, progress: Progress) -> None:
        """Hear what is proven so far."""
        self.progress = progress
        if self.shown:
            speed = short(progress.nodes / max(progress.seconds, 1e-9))
            self.work.say(f"Solving: value {progress}, {short(progress.nodes)} nodes, {speed}/s")
