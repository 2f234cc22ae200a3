"""What type checkers are told of every game is what every game has."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

from plywise import layers
from plywise.game import Game

FILE = Path(layers.__path__[0]) / "defaults.pyi"


def declared() -> dict[str, ast.FunctionDef | ast.AnnAssign]:
    """What the file declares, by name."""
    (body,) = (node.body for node in ast.parse(FILE.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef))
    found: dict[str, ast.FunctionDef | ast.AnnAssign] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        else:
            assert isinstance(node, ast.AnnAssign)
            found[ast.unparse(node.target)] = node
    return found


def test_all_that_the_layers_add_is_declared_and_nothing_else() -> None:
    assert declared().keys() == Game.DEFAULTS.keys()


def test_it_is_declared_as_the_layers_define_it() -> None:
    for name, node in declared().items():
        default = vars(Game.DEFAULTS[name])[name]
        if isinstance(node, ast.AnnAssign):
            annotation = Game.DEFAULTS[name].__annotations__[name]
            assert ast.unparse(node.annotation) == annotation, name
        else:
            assert node.returns is not None
            default = getattr(default, "func", default)  # of a cached property
            signature = f"({ast.unparse(node.args)}) -> {ast.unparse(node.returns)}"
            assert signature == str(inspect.signature(default)).replace("'", ""), name
