"""``plywise new``: write a commented file to start your own game from.  ``new.py.txt`` is its template."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.screen import output
from plywise.errors import PlywiseError

TEMPLATE = Path(__file__).with_name("new.py.txt")


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the game, such as mygame.")],
    folder: Annotated[Path, typer.Option("--folder", metavar="DIR", help="Folder for the file.")] = Path(),
) -> None:
    """Write a commented file to start your own game from.

    The file holds a small working game that passes 'plywise check'.  Change it into yours.  An existing file is never
    overwritten.

    \b
    plywise new mygame
    plywise new mygame --folder games
    """
    file = write_starter(name, folder)
    out = output()
    out.print(f"Wrote {file}. Next:")
    for command in ("check", "solve", "play"):
        out.print(f"  plywise {command} {file}")


def write_starter(name: str, folder: Path) -> Path:
    """Write ``name.py``, a small complete game with the optional methods as comments, into ``folder``.

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
    text = TEMPLATE.read_text(encoding="utf-8").replace("<<name>>", path.name).replace("<<class>>", _class_name(module))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise PlywiseError(f"{path} already exists: choose another name, or move it away") from None
    except OSError as error:
        raise PlywiseError(f"{path} cannot be written: {error.strerror}") from error
    return path


def _class_name(module: str) -> str:
    """Return the class name for a module: ``MyGame`` for ``my_game``, with a suffix if the name is taken."""
    words = [word[0].upper() + word[1:] for word in re.split("_+", module) if word]
    name = "".join(words) or "Game"
    return name if name.isidentifier() and name not in ("Game", "Position", "NamedTuple") else f"{name}Rules"
