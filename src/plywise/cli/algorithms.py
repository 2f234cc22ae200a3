"""``plywise algorithms``: list the algorithms and their options."""

from __future__ import annotations

from typing import Any

from plywise.cli.options import JsonOption
from plywise.cli.screen import print_json, print_table, table


def algorithms(as_json: JsonOption = False) -> None:
    """List the algorithms with their options.

    The engine, which is the default, and its relatives come first; then the textbook algorithms.

    \b
    plywise algorithms
    plywise search connect-four --algorithm pvs --depth 8
    plywise search connect-four --algorithm jamboree --threads 2 --depth 12
    """
    from plywise.algorithms import ALGORITHMS, REQUIRED

    entries: list[dict[str, Any]] = [
        {
            "name": each.name,
            "summary": each.summary,
            "options": {name: None if value is REQUIRED else value for name, value in each.options.items()},
        }
        for each in ALGORITHMS.values()
    ]
    if as_json:
        print_json(entries)
        return
    shown = table("algorithm", "options", "")
    for entry in entries:
        shown.add_row(entry["name"], ", ".join(entry["options"]), entry["summary"])
    print_table(shown)
