"""Go: playouts a second, and the values of small boards beside the known ones.

Run it with ``make bench``, or ``python benchmarks/go.py SECTION...`` for some sections.  It writes ``results/go.md``.
It takes about two minutes, most of it for the board of 3 by 4.

Light playouts are random, except that nobody fills an eye of his own; the usual ones answer the move before.  The known
values are van der Werf and Winands' (2009), and for superko Tromp's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import plywise as pw
from engine import HERE, Row, cpu, run
from plywise.compiling.reading import prepare
from plywise.compiling.reading import run as run_compiled
from plywise.engine.trail import Trail, new_trail
from plywise.games import Go
from plywise.games.go import Stones
from plywise.games.go.playouts import playout
from plywise.inputs.limits import LONGEST_LINE

PLAYOUTS = {9: 20_000, 13: 10_000, 19: 4_000}
"""How many to play on each board."""
KNOWN = HERE.parent.parent / "shared" / "data" / "known_values.json"
SUPERKO = {(2, 2): 1}
"""Known values with superko."""
BOARDS = ((2, 2), (2, 3), (3, 3), (2, 4), (3, 4))


class LightGo(Go):
    """Go whose playouts only avoid filling eyes."""

    def playout(self, state: Stones, trail: Any) -> float:
        return playout(self, state, trail, 0, 10)


def many(game: Go, state: Stones, count: int, trail: Trail) -> float:
    """Play this many playouts, and return the mean of their scores."""
    total = 0.0
    for _ in range(count):
        trail.start()
        total += game.playout(state, trail)
    return total / count


def playouts() -> Iterator[Row]:
    """Playouts a second from the empty board, on one thread, in processor time"""
    for size, count in PLAYOUTS.items():
        row: Row = {"board": f"{size} by {size}"}
        for kind, game in (("light", LightGo(size)), ("usual", Go(size))):
            state = game.initial()
            compiled = prepare(many, game, state, lambda: (1, new_trail(0, 0, LONGEST_LINE, True)))
            trail = new_trail(1, 0, LONGEST_LINE, True)
            measured = partial(run_compiled, many, game, state, (count, trail), trail, compiled, None)
            spent, mean = cpu(measured)
            row[f"{kind}, a second"] = round(count / spent)
            row[f"{kind}, moves"] = round(trail.nodes / count, 1)
            row[f"{kind}, mean score + komi"] = round(mean + game.komi, 1)
        yield row


def values() -> Iterator[Row]:
    """Values of small boards for Black without komi: from tables of all positions and, with superko, from a search"""
    known = json.loads(KNOWN.read_text())["go_area_scoring_first_player"] if KNOWN.exists() else {}
    for width, height in BOARDS:
        game = Go(width, height, komi=0)
        spent, table = cpu(partial(pw.tabulate, game))
        entry = table[game.initial()]
        expected = known.get(f"{width}x{height}", "?")
        yield _row(game, entry.value, expected, {"positions": len(table), "nodes": "", "s": spent})
    for width, height in BOARDS[:1]:
        game = Go(width, height, komi=0, superko=True)
        spent, result = cpu(partial(pw.solve, game))
        yield _row(
            game, result.value, SUPERKO.get((width, height), "?"), {"positions": "", "nodes": result.nodes, "s": spent}
        )


def _row(game: Go, value: float, expected: Any, cost: Row) -> Row:
    assert expected in (value, "?"), (game, value, expected)
    rule = "superko" if game.superko else "basic ko, a cycle is a draw"
    return {"board": f"{game.width} by {game.rows}", "rule": rule, "value": value, "known": expected, **cost}


SECTIONS = {"playouts": playouts, "values": values}

if __name__ == "__main__":
    run("Go", "go", __doc__, SECTIONS)
