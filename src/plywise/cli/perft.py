"""``plywise perft``: count move sequences, the standard test of a game's rules."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from plywise.cli.options import GameArgument, JsonOption, PositionOption, explains_games
from plywise.cli.screen import busy, duration, print_json, print_table, table


@explains_games
def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Option("--depth", "-d", metavar="N", help="Count sequences of up to N moves.")],
    position: PositionOption = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count separately for each first move.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the sequences of legal moves, for every length up to N.

    Counting stops at the first length that no game reaches.

    \b
    plywise perft connect-four --depth 8
    plywise perft tic-tac-toe -d 4 --divide
    """
    from plywise.inputs.choose import choose_game
    from plywise.inputs.limits import check_limits
    from plywise.inputs.positions import position as position_meant

    check_limits(depth, None, None)
    with busy(f"Preparing {game}") as display:
        chosen = choose_game(game)
        start = position_meant(chosen, position)
        display.say("Counting")
        counted = chosen.counted()
        rows = _divided(counted, start, depth) if divide else _by_depth(counted, start, depth)
    report = {"game": repr(chosen), "position": chosen.format(start), "depth": depth}
    if as_json:
        print_json({**report, "moves" if divide else "depths": rows})
    else:
        _show(rows, divide)


def _by_depth(game: Any, start: Any, depth: int) -> list[dict[str, Any]]:
    """Count for every depth, up to the first with no sequence."""
    rows: list[dict[str, Any]] = []
    while len(rows) < depth and (not rows or rows[-1]["count"]):
        rows.append({"depth": len(rows) + 1, **_timed(game, start, len(rows) + 1)})
    return rows


def _divided(game: Any, start: Any, depth: int) -> list[dict[str, Any]]:
    if game.is_terminal(start):
        return []
    return [
        {"move": game.format_move(start, move), **_timed(game, game.play(start, move), depth - 1)}
        for move in game.moves(start)
    ]


def _timed(game: Any, state: Any, depth: int) -> dict[str, Any]:
    from plywise.algorithms import perft as count_sequences

    count_sequences(game, state, 0)  # compile first
    begin = time.perf_counter()
    count = count_sequences(game, state, depth)
    return {"count": count, "seconds": round(time.perf_counter() - begin, 6)}


def _show(rows: list[dict[str, Any]], divide: bool) -> None:
    first = "move" if divide else "depth"
    shown = table(first, "count", "time", "per second", right=("depth", "count", "time", "per second"))
    for row in rows:
        speed = f"{row['count'] / row['seconds']:,.0f}" if row["seconds"] > 1e-3 else ""
        shown.add_row(str(row[first]), f"{row['count']:,}", duration(row["seconds"]), speed)
    if divide:
        shown.add_section()
        total = sum(row["seconds"] for row in rows)
        shown.add_row("all", f"{sum(row['count'] for row in rows):,}", duration(total), "")
    print_table(shown)
