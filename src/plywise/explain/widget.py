"""The view of a search in a notebook: the ES modules of the page as an anywidget.

It works in JupyterLab, marimo and others, and needs the extra ``notebook``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import Any

from plywise.errors import SearchError
from plywise.explain.story import NOTATIONS, story
from plywise.result import Result

MODULES = ("miniature", "story", "scene", "drawing", "outline", "tree")
"""The modules of the view, each after those it imports."""


def show(result: Result, step: int = 0, notation: str = "window") -> Any:
    """Return a widget that steps through a recorded search.

    Args:
        result: the result of a search with ``record=True``.
        step: the step to start at; the widget's ``step`` and the view stay in sync.
        notation: ``window`` for windows at the nodes, ``edge`` for bounds on the edges, ``interval`` for known
            intervals of values.

    Raises:
        SearchError: the search was not recorded, there is no such notation or step, or anywidget is not installed.

    >>> import plywise as pw
    >>> widget = show(pw.search(pw.games.RedBlue(), algorithm="alphabeta", record=True))
    >>> widget.step, len(widget.story["steps"])
    (0, 33)
    """
    if notation not in NOTATIONS:
        raise SearchError(f"there is no notation {notation!r} in the view; there are: {', '.join(NOTATIONS)}")
    told = story(result)
    if not 0 <= step <= len(told["steps"]):
        raise SearchError(f"step={step} does not exist: this search has {len(told['steps'])} steps")
    return _widget_class()(story=told, step=step, notation=notation)


@lru_cache(maxsize=1)
def _widget_class() -> Any:
    """Make the class on first use: anywidget is an extra."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise SearchError("show needs anywidget: pip install 'plywise[notebook]'") from None

    class TreeWidget(anywidget.AnyWidget):
        """A search, step by step."""

        _esm = module_source()
        _css = _file("tree.css")
        story = traitlets.Dict().tag(sync=True)
        step = traitlets.Int(0).tag(sync=True)
        notation = traitlets.Enum(NOTATIONS, "window").tag(sync=True)

    return TreeWidget


def module_source() -> str:
    """Return the view as one ES module, because modules cannot import each other in a notebook."""
    source = "\n".join(_file(f"{name}.js") for name in MODULES)
    source = re.sub(r'^import [^;]* from "\./\w+\.js";\n', "", source, flags=re.MULTILINE)
    return re.sub(r"^export (?!default)", "", source, flags=re.MULTILINE)


def _file(name: str) -> str:
    return (resources.files("plywise") / "web" / "static" / "view" / name).read_text(encoding="utf-8")
