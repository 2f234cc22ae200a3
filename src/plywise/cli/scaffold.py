"""``plywise new``: a commented file to start a game of one's own from."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

from plywise.errors import PlywiseError

TEMPLATE = Path(__file__).with_name("starter.py.txt")


def write_starter(name: str, folder: Path) -> Path:
    """Write ``name.py``, a small complete game with every optional method as a comment, into ``folder``.

    Raises:
        PlywiseError: the name cannot be a module's, or the file is there already.
    """
    name = name.removesuffix(".py")
    module = name.replace("-", "_")
    if not module.isidentifier():
        raise PlywiseError(f"{name!r} cannot name a game: use letters, digits, - and _, beginning with a letter")
    if keyword.iskeyword(module) or module in {*sys.stdlib_module_names, "numba", "numpy", "plywise"}:
        raise PlywiseError(f"{name!r} cannot name a game: to Python, {module} means something else")
    path = folder / f"{module}.py"
    text = TEMPLATE.read_text(encoding="utf-8").replace("<<name>>", path.name).replace("<<class>>", _class_name(module))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise PlywiseError(f"{path} exists already: choose another name, or move it away") from None
    except OSError as error:
        raise PlywiseError(f"{path} cannot be written: {error.strerror}") from error
    return path


def _class_name(module: str) -> str:
    """Return the name of a class in a module: ``my_game`` holds ``MyGame``; one that collides gets a tail."""
    words = [word[0].upper() + word[1:] for word in re.split("_+", module) if word]
    name = "".join(words) or "Game"
    return name if name.isidentifier() and name not in ("Game", "Position", "NamedTuple") else f"{name}Rules"
