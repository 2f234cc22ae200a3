"""Tables of all positions of a game, with the value of each.

``tabulate`` makes one; ``load`` opens the file of one, and ``verify`` checks it.
"""

from __future__ import annotations

from plywise.tables.file import load, verify
from plywise.tables.table import Entry, Summary, Table
from plywise.tables.tabulate import tabulate

__all__ = ["Entry", "Summary", "Table", "load", "tabulate", "verify"]
