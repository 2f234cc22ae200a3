"""``plywise new``: a small game that works, to change into your own.  The folder ``starters`` has the texts: one with
comments on everything, and one for each layer, which docs/games.md shows too.
"""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.screen import output
from plywise.errors import PlywiseError
from plywise.layers import LAYERS

STARTERS = Path(__file__).with_name("starters")

NEXT = ("check", "solve", "play", "serve --game")
"""Commands to try next."""

HEADER = '''"""A game to start from, with the layer {layer}: change it into yours.

    plywise check {file}          is anything wrong with these rules?
    plywise solve {file}          who wins, and how?
    plywise play {file}           play against the search
    plywise serve --game {file}   play and analyse it in the browser

docs/games.md describes this layer and the others.
"""

'''

FOOTER = """

if __name__ == "__main__":
    print(pw.solve({game}()))
"""


def _words(name: str, between: str) -> str:
    """Return ``FastestWin`` as ``fastest-win`` or ``fastest_win``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", between, name).lower()


NAMES = {_words(layer.__name__, "-"): layer.__name__ for layer in LAYERS}
"""The layers, as they are typed on the command line."""


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the game, such as mygame.")],
    layer: Annotated[
        str | None, typer.Option(metavar="LAYER", help=f"Start from a game that uses this layer: {', '.join(NAMES)}.")
    ] = None,
    folder: Annotated[Path, typer.Option("--folder", metavar="DIR", help="Where to write the file.")] = Path(),
) -> None:
    """Start a game of your own: write a small game that works.

    It passes 'plywise check'; change it into yours.  Without --layer, comments explain the methods that every game has.
    With one, you get a small complete game that uses it.  An existing file is never overwritten.

    \b
    plywise new mygame
    plywise new mygame --layer view     a board, a title and words of its own
    plywise new mygame --folder games
    """
    file = write_starter(name, folder, None if layer is None else _layer_called(layer))
    out = output()
    out.print(f"Wrote {file}. Next:")
    for command in NEXT:
        out.print(f"  plywise {command} {file}")
    if layer is None:
        out.print("A game with a board of its own, and an editor for it on the page: plywise new NAME --layer view")


def _layer_called(text: str) -> str:
    """Return the class name of the layer that ``text`` names, such as ``fastest-win`` or ``FastestWin``."""
    for name in NAMES.values():
        if re.sub("[-_]", "", text).lower() == name.lower():
            return name
    raise PlywiseError(f"there is no layer {text!r}: choose one of {', '.join(NAMES)}")


def write_starter(name: str, folder: Path, layer: str | None = None) -> Path:
    """Write ``name.py``, a small complete game, into ``folder``.

    Args:
        name: the name of the game.
        folder: made if it is missing.
        layer: the class name of a layer that the game uses; default: none, but comments on everything.

    Raises:
        PlywiseError: the name cannot name a module, or the file exists.
    """
    name = name.removesuffix(".py")
    module = name.replace("-", "_")
    if not module.isidentifier():
        raise PlywiseError(f"{name!r} cannot name a game: use letters, digits, - and _, and start with a letter")
    if keyword.iskeyword(module) or module in {*sys.stdlib_module_names, "numba", "numpy", "plywise"}:
        raise PlywiseError(f"{name!r} cannot name a game: Python or plywise already uses {module}")
    path = folder / f"{module}.py"
    text = _text(path.name, module, layer)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise PlywiseError(f"{path} already exists: choose another name, or move it away") from None
    except OSError as error:
        raise PlywiseError(f"{path} cannot be written: {error.strerror}") from error
    return path


def starter(layer: str | None) -> str:
    """Return the text of a starter: that of a layer, or the one with comments."""
    file = "game" if layer is None else _words(layer, "_")
    return (STARTERS / f"{file}.py.txt").read_text(encoding="utf-8")


def _text(file: str, module: str, layer: str | None) -> str:
    """Return the text of a new game: a starter whose class is named after the module."""
    text = starter(layer)
    example = re.search(r"class (\w+)\(.*pw\.Game\)", text)
    assert example is not None
    game = _class_name(module, set(re.findall(r"\w+", text)) - {example[1]})
    named = re.sub(rf"\b{example[1]}\b", game, text)
    if layer is None:
        return named.replace("<<name>>", file)
    return HEADER.format(layer=layer, file=file) + named + FOOTER.format(game=game)


def _class_name(module: str, taken: set[str]) -> str:
    """Return the name of a class in a module: ``my_game`` holds ``MyGame``; a name that is taken gets a tail."""
    words = [word[0].upper() + word[1:] for word in re.split("_+", module) if word]
    name = "".join(words) or "Game"
    return name if name.isidentifier() and name not in taken else f"{name}Rules"
