"""Plots with matplotlib, which is an extra."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plywise.errors import SearchError


def check_plot(path: Path | None = None) -> None:
    """Check that a plot can be drawn, to ``path`` if given, before anything is measured.

    Raises:
        SearchError: matplotlib is not installed, or does not support the format.
    """
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise SearchError("a plot needs matplotlib: pip install 'plywise[plot]'") from None
    formats = sorted(FigureCanvasBase.get_supported_filetypes())
    if path is not None and path.suffix.removeprefix(".").lower() not in formats:
        raise SearchError(f"{path.name!r} must end in one of .{' .'.join(formats)}")


@contextlib.contextmanager
def plotted(path: Path, width: float, height: float) -> Iterator[Any]:
    """Yield the axes of a plot of this size in inches, then write it with its legend, in the format of the file name.

    Raises:
        SearchError: see ``check_plot``.
    """
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    yield axes
    axes.legend()
    figure.savefig(path, dpi=150)
