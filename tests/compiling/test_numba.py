"""The installed Numba is a version that plywise was tested with, and has the internals that plywise uses.

``compiling`` extends Numba and stores its machine code, for which there is no public API.  This file reads the names
that it uses from its source, so that a name that Numba drops is reported instead of causing a crash.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core.compiler import _LowerResult
from numba.core.environment import Environment
from packaging.specifiers import SpecifierSet

import plywise

ROOT = Path(__file__).parents[2]
SOURCES = sorted(Path(plywise.__file__).parent.rglob("*.py"))
WHAT_TO_DO = (
    "Run 'make test' with this Numba.  If everything passes, change numba under dependencies in pyproject.toml.  If "
    "not, change src/plywise/compiling first, above all bridge.py, cache.py and pipeline.py."
)


def imported(tree: ast.AST) -> dict[str, str]:
    """What each name of a module stands for, of those that Numba gives it."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numba":
            names.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
        elif isinstance(node, ast.Import):
            names.update({alias.name: alias.name for alias in node.names if alias.name == "numba"})
    return names


def dotted(node: ast.expr) -> str | None:
    """``a.b.c``, if an expression is no more than that."""
    if isinstance(node, ast.Name):
        return node.id
    before = dotted(node.value) if isinstance(node, ast.Attribute) else None
    return f"{before}.{node.attr}" if before and isinstance(node, ast.Attribute) else None


def paths(file: Path) -> Iterator[str]:
    """Everything of Numba's that a module names: what it imports, and attributes of that."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = imported(tree)
    yield from names.values()
    for node in ast.walk(tree):
        root, _, rest = ((dotted(node) if isinstance(node, ast.Attribute) else None) or "").partition(".")
        if root in names:
            yield f"{names[root]}.{rest}"


def found(path: str) -> bool:
    """Whether the Numba that is installed has what a path names."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing: Any = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            if not hasattr(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return False


def test_numba_is_of_a_version_that_was_tested() -> None:
    written = re.search(r'"numba([^"]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert written, "pyproject.toml does not say which versions of Numba were tested"
    if not SpecifierSet(written[1]).contains(numba.__version__):
        pytest.fail(f"numba {numba.__version__} is not in {written[1]}, the range that was tested.  {WHAT_TO_DO}")


def test_numba_has_what_plywise_imports_from_it() -> None:
    used = {path for file in SOURCES for path in paths(file)}
    assert {"numba.core.caching._Cache", "numba.core.compiler.CompileResult._rebuild"} <= used
    missing = sorted(path for path in used if not found(path))
    if missing:
        pytest.fail(f"numba {numba.__version__} lacks {', '.join(missing)}.  {WHAT_TO_DO}")


@pytest.mark.parametrize("module", ["cache", "pipeline"])
def test_numba_has_the_private_attributes_that_are_used(module: str) -> None:
    @numba.njit
    def twice(number):
        return 2 * number

    assert twice(2) == 4
    result = twice.overloads[(numba.int64,)]
    insides = (twice, result, result.library, result.library.codegen, Environment, _LowerResult)
    file = ROOT / "src/plywise/compiling" / f"{module}.py"
    own = {"_game", "_name", "_meaning", "_known_as", "_path", "_returned"}
    used = {
        node.attr
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__")
    } - own
    assert used >= ({"_reduce"} if module == "cache" else {"_final_module", "_linking_libraries", "_reload_init"})
    private = used - {path.rpartition(".")[2] for path in paths(file)} | {"_cache"}
    missing = sorted(name for name in private if not any(hasattr(inside, name) for inside in insides))
    if missing:
        pytest.fail(f"numba {numba.__version__} lacks {', '.join(missing)}.  {WHAT_TO_DO}")
