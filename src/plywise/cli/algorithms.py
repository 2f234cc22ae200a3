"""``plywise algorithms``: the algorithms to choose from, and their options."""

from __future__ import annotations

from typing import Any

from plywise.cli.options import JsonOption
from plywise.cli.screen import print_json, print_table, table


def algorithms(as_json: JsonOption = False) -> None:
    """List the algorithms, what they are, and their options.

    First the engine, which searches unless another is named, and other searches of its kind; then the textbook.

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
