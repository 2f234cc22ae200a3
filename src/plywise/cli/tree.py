"""``plywise tree``: draw the tree that an algorithm searched, or step through it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.options import (
    DepthOption,
    ExtraOption,
    GameArgument,
    JsonOption,
    PositionOption,
    explains_games,
    read_extras,
)
from plywise.cli.screen import busy, live, output, print_json

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from plywise.explain import Figure, SearchTree
    from plywise.result import Result


KEY_HELP = "space → forward   ← back   home, end   q quit"


@explains_games
def tree(
    game: GameArgument,
    position: PositionOption = None,
    depth: DepthOption = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            help="Default: alphabeta; maxn for three or more players; star2 with dice.",
        ),
    ] = None,
    steps: Annotated[bool, typer.Option("--steps", help="Step through the search, one event at a time.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Cut only on alpha > beta, not on alpha = beta.")] = False,
    notation: Annotated[
        str, typer.Option("--notation", metavar="NAME", help="window, edge, interval or blank; see above.")
    ] = "window",
    widest: Annotated[
        int | None,
        typer.Option("--widest", metavar="K", min=1, help="Draw the best K moves of a node and one mark for the rest."),
    ] = None,
    boards: Annotated[
        bool | None, typer.Option("--boards/--no-boards", help="Draw positions inside the nodes.", show_default=False)
    ] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write the drawing as SVG.")] = None,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="Write it as PNG (needs matplotlib).")
    ] = None,
    tikz: Annotated[
        Path | None, typer.Option("--tikz", metavar="FILE", help="Write it as a LaTeX document with TikZ.")
    ] = None,
    dot: Annotated[Path | None, typer.Option("--dot", metavar="FILE", help="Write it as DOT for Graphviz.")] = None,
    option: ExtraOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw the tree that an algorithm searched, or step through it.

    The drawing shows windows, values, cuts with their reasons, and the line of best play.

    Without --depth, a small tree is searched to the end and a larger one as deep as can be drawn.  With --steps, keys
    go forward and back through the search; in a pipe, each step is printed as a sentence.

    --svg, --png, --tikz and --dot write the drawing to files.  --notation, --widest and --boards apply only to these.
    --notation says how windows are written: window (at the nodes), edge (as bounds on the edges), interval (as the
    interval in which each value must lie) or blank (not at all, for an exercise).

    \b
    plywise tree red-blue
    plywise tree lecture.json --algorithm alphabeta --strict
    plywise tree tic-tac-toe -p XO./.X./..O --depth 2 --steps
    plywise tree red-blue -a mtdf -o guess=2
    plywise tree red-blue --svg tree.svg --tikz tree.tex --notation interval
    plywise tree connect-four -p 445566 --depth 2 --widest 3 --png tree.png
    """
    from plywise.explain import figure, grow
    from plywise.explain.recording import recorded
    from plywise.inputs.choose import choose_game

    files = {"svg": svg, "png": png, "tikz": tikz, "dot": dot}
    wanted = {kind: path for kind, path in files.items() if path is not None}
    _check_drawing(notation, png)
    extras = read_extras(option) | ({"strict": True} if strict else {})
    with busy(f"Preparing {game}") as display:
        chosen = choose_game(game)
        display.say("Searching")
        result = recorded(chosen, position, depth, algorithm, extras)
    grown = grow(result)
    if wanted:
        _write(figure(grown, notation=notation, widest=widest, boards=boards), wanted)
    if as_json:
        print_json(_json(result, grown, steps))
    elif wanted and not steps:
        output().print("\n".join(f"Wrote {path}" for path in wanted.values()), highlight=False)
    elif not steps:
        show_tree(output(), result, grown)
    elif live(output()):
        _walk(output(), result, grown)
    else:
        _tell(output(), result, grown)


def _check_drawing(notation: str, png: Path | None) -> None:
    """Check the drawing options before the search starts."""
    from plywise.explain.tree_notation import checked

    checked(notation)
    if png is not None:
        from plywise.io.plot import check_plot

        check_plot()


def _write(figure: Figure, files: dict[str, Path]) -> None:
    """Write a drawing to files, by format."""
    texts: dict[str, Callable[[], str]] = {
        "svg": figure.svg, "tikz": lambda: figure.tikz(document=True), "dot": figure.dot,
    }  # fmt: skip
    for kind, path in files.items():
        if kind == "png":
            figure.png(path)
        else:
            path.write_text(texts[kind](), encoding="utf-8")


def show_tree(out: Console, result: Result, grown: SearchTree) -> None:
    """Print a tree with its heading, summary and legend."""
    from plywise.explain import drawing, heading, legend, summary

    out.print(heading(grown))
    out.print()
    width = out.width if out.is_terminal else None
    for line in drawing(grown):
        for piece in line.fitted(width):
            out.print(piece)
    out.print()
    out.print(summary(result, grown))
    out.print(legend(grown))


def _tell(out: Console, result: Result, grown: SearchTree) -> None:
    """Print every step as a numbered sentence."""
    from plywise.explain import heading, sentence, summary

    assert result.events is not None
    out.print(heading(grown))
    out.print()
    for number, event in enumerate(result.events, 1):
        out.print(f"{number:>3}. {sentence(grown, event)}")
    out.print()
    out.print(summary(result, grown))


def _json(result: Result, grown: SearchTree, steps: bool) -> dict[str, Any]:
    from plywise.explain import sentence

    report = {**grown.to_json(), "result": result.to_json()}
    if steps:
        assert result.events is not None
        report["steps"] = [
            {"kind": event.kind, "visit": event.node, "ply": event.ply, "sentence": sentence(grown, event)}
            for event in result.events
        ]
    return report


# Walking -------------------------------------------------------------------------------------------------------------


def _walk(out: Console, result: Result, grown: SearchTree) -> None:
    """Step through the events with the keyboard."""
    from plywise.cli.keyboard import key_reader

    assert result.events is not None
    last, step = len(result.events), 1
    with out.screen(hide_cursor=True) as screen, key_reader() as read_key:
        while True:
            screen.update(_page(out, result, grown, step))
            step = _moved(step, last, read_key())
            if step == 0:
                return


def _moved(step: int, last: int, key: str) -> int:
    """Return the step that a key leads to; 0 means quit."""
    moves: dict[str, Callable[[], int]] = {
        "forward": lambda: min(step + 1, last),
        "back": lambda: max(step - 1, 1),
        "home": lambda: 1,
        "end": lambda: last,
        "quit": lambda: 0,
    }
    return moves.get(key, lambda: step)()


def _page(out: Console, result: Result, grown: SearchTree, step: int) -> RenderableType:
    """Return the screen at a step: the tree so far, around the current event, and its sentence."""
    from rich.console import Group
    from rich.text import Text

    from plywise.explain import drawing, grow, heading, legend, sentence

    assert result.events is not None
    so_far = grow(result, steps=step)
    above = heading(so_far).wrap(out, out.width)
    words = Text(sentence(grown, result.events[step - 1]), style="bold").wrap(out, out.width)
    bar = Text(f"step {step} of {len(result.events)}   {KEY_HELP}", style="reverse")
    room = max(3, out.height - len(above) - len(words) - 5)
    pieces: list[Text] = []
    focus = 0
    for line in drawing(so_far, so_far.current):
        if line.visit is not None and line.visit is so_far.current:
            focus = len(pieces)
        pieces += line.fitted(out.width)
    start = max(0, min(focus - room // 2, len(pieces) - room))
    shown = pieces[start : start + room]
    blank = [Text()] * (room - len(shown))
    return Group(*above, Text(), *shown, *blank, Text(), *words, Text(), legend(so_far), bar)
