"""``plywise compare``: algorithms side by side, next to the theory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.failure import WRONG, complain
from plywise.cli.options import DepthOption, GameArgument, JsonOption, PositionOption, explains_games
from plywise.cli.screen import busy, duration, output, print_json, print_table, table

if TYPE_CHECKING:
    from plywise.study.compare import Comparison


@explains_games
def compare(
    game: GameArgument,
    position: PositionOption = None,
    depth: DepthOption = None,
    algorithms: Annotated[
        str | None,
        typer.Option(
            "--algorithms", "-a", metavar="A,B,C", help="What to compare; 'all': every one that suits the game."
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", help="Plot nodes against depth, as .png, .svg or .pdf (needs matplotlib)."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare algorithms on one position, and with the theory.

    The table shows the value, move, nodes, leaves and time of each, not counting compilation.  In theory, minimax
    visits b^d leaves, and alpha-beta with the best move order b^ceil(d/2) + b^floor(d/2) - 1 (Knuth and Moore 1975).
    b is the d-th root of the number of leaves of the full tree.

    --plot draws the number of nodes against the depth, next to the theory: for minimax, for alpha-beta with the worst,
    the natural and the best move order, and for the engine.  A curve ends where a depth would take over ten seconds.

    \b
    plywise compare tic-tac-toe
    plywise compare connect-four --depth 8
    plywise compare connect-four -d 9 --algorithms alphabeta,pvs,memo
    plywise compare tic-tac-toe --plot growth.png
    """
    from plywise.inputs.choose import choose_game
    from plywise.io.plot import check_plot
    from plywise.study.compare import Disagreement
    from plywise.study.compare import compare as run
    from plywise.study.growth import growth
    from plywise.study.survey import suitable_algorithms

    if plot is not None:
        check_plot(plot)
    failure, grown = None, None
    with busy(f"Preparing {game}") as display:
        chosen = choose_game(game)
        names = suitable_algorithms(chosen) if algorithms == "all" else algorithms.split(",") if algorithms else None
        try:
            comparison = run(chosen, position, depth, names, on_step=lambda name: display.say(f"Searching: {name}"))
        except Disagreement as error:
            failure, comparison = error, error.comparison
        if plot is not None:
            deepest = comparison.size.depth if comparison.size is not None else 1
            grown = growth(chosen, comparison.state, deepest, lambda name: display.say(f"Counting nodes: {name}"))
            grown.write_plot(plot)
    if as_json:
        print_json(comparison.to_json() | ({} if grown is None else {"growth": grown.to_json()}))
    else:
        _show(comparison)
        if plot is not None:
            output().print(f"Wrote {plot}", highlight=False)
    if failure:
        complain(str(failure))
        raise typer.Exit(WRONG)


def _show(comparison: Comparison) -> None:
    from plywise.explain.text import number

    shown = table("algorithm", "value", "move", "nodes", "leaves", "time", right=("value", "nodes", "leaves", "time"))
    for result in comparison.results:
        move = "" if result.move is None else result.game.format_move(result.state, result.move)
        shown.add_row(
            result.algorithm,
            number(result.value),
            move,
            f"{result.nodes:,}",
            "" if result.leaves is None else f"{result.leaves:,}",
            duration(result.seconds),
        )
    size = comparison.size
    if size is not None:
        about = "" if size.exact else "≈ "
        shown.add_section()
        shown.add_row("theory: b^d", "", "", "", f"{about}{size.most:,.0f}", "")
        shown.add_row("theory: b^⌈d/2⌉ + b^⌊d/2⌋ - 1", "", "", "", f"{about}{size.fewest:,.0f}", "")
    out = output()
    print_table(shown)
    if size is not None:
        counted = "" if size.exact else f", estimated from depth {size.counted}"
        out.print(f"\nb = {size.branching:.4g}, d = {size.depth}{counted}")
    if comparison.agrees and len(comparison.results) > 1:
        out.print("All algorithms agree.")
