"""Kalah: known values, from small boards to the usual one, and what leaving banked points out of the table is worth.

Run it with ``make bench``, or ``python benchmarks/kalah.py SECTION...`` for some sections.  It takes about three
minutes and writes ``results/kalah.md``.  The known values are read from ``../shared/data/known_values.json``, or the
folder ``$PLYWISE_DATA``; without them, the section that needs them is skipped with a message.

Seconds are of one thread, in processor time, with an empty table, no table of endings, and compiled code: to compile it
takes some seconds more, once.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import plywise as pw
from engine import Row, cpu, data, run
from plywise.compiling.reading import specialised
from plywise.engine.any_code import made_by
from plywise.games import Kalah

SMALL_MB, LARGE_MB = 64, 512
"""Megabytes of the table: for smaller boards, and for the usual one."""

QUOTED = {
    Kalah(6, 4): (10, "3.6 s, after 271 s for a table of 22 stones (Irving, Donkers and Uiterwijk 2000)"),
    Kalah(6, 4, empty_capture=False): (8, "margin only (M. Rawlings, quoted in Wikipedia)"),
}
"""The margin and the time of others on boards of the usual size."""

LARGER = ((6, 4), (6, 5))
"""Boards that the section ``known`` leaves to others."""

COMPARED = 10_000
"""Positions to compare with OpenSpiel."""


def nearly_over(game: Kalah) -> str:
    """Return the text of a position that is soon solved."""
    row = ["1"] + ["0"] * game.pits
    return f"{','.join(row)}/{','.join(row)} S"


class Unbanked(Kalah):
    """Kalah whose table entries hold values with the points already won, as in games without the layer."""

    def banked(self, state: Any) -> int:
        return 0

    def rest_key(self, state: Any) -> Any:
        return state


def solved(game: Kalah, table_mb: int = SMALL_MB) -> tuple[float, pw.Result]:
    """Return the processor time of a solution from nothing, without compiling, and the result."""
    with made_by(specialised):
        pw.Engine(game, table_mb=1).solve(nearly_over(game))  # compile
        return cpu(pw.Engine(game, table_mb=table_mb).solve)


def known() -> Iterator[Row]:
    """The first player's margin, with empty captures, beside the known one"""
    folder = data("")
    if folder is None or not (folder / "known_values.json").exists():
        raise SystemExit("skipped: known_values.json is missing (set PLYWISE_DATA)")
    values = json.loads((folder / "known_values.json").read_text())["kalah_empty_capture_margin_first_player"]
    for pits in range(2, 7):
        for stones, margin in enumerate(values[f"m{pits}"], 1):
            if margin is not None and (pits, stones) not in LARGER:
                yield measured(Kalah(pits, stones), margin)


def measured(game: Kalah, margin: int, table_mb: int = SMALL_MB) -> Row:
    """Solve one board, whose margin must be the known one."""
    seconds, result = solved(game, table_mb)
    assert result.value == margin, (game, result.value, margin)
    return {"pits": game.pits, "stones": game.stones, "known": f"{margin:+}", "found": f"{result.value:+}",
            "nodes": result.nodes, "s": seconds}  # fmt: skip


def usual() -> Iterator[Row]:
    """The usual board, from nothing, beside the times and margins of others"""
    for game, (margin, others) in QUOTED.items():
        captures = "yes" if game.empty_capture else "no"
        yield {"empty captures": captures, **measured(game, margin, LARGE_MB), "others": others}


def banked() -> Iterator[Row]:
    """Solving with points already won kept out of the table (the layer ``Banked``), and without the layer"""
    for pits, stones in ((4, 4), (4, 5), (4, 6), (5, 3), (5, 4), (6, 3)):
        _, alike = solved(Unbanked(pits, stones))
        _, result = solved(Kalah(pits, stones))
        assert alike.value == result.value
        yield {"pits": pits, "stones": stones, "nodes with": result.nodes, "nodes without": alike.nodes,
               "ratio": result.nodes / alike.nodes}  # fmt: skip


def open_spiel() -> Iterator[Row]:
    """Random games beside OpenSpiel's mancala, whose rules are those without empty captures"""
    try:
        import pyspiel
    except ImportError:
        raise SystemExit("skipped: OpenSpiel is not installed") from None
    game, chance, positions, games = Kalah(empty_capture=False), random.Random(1), 0, 0
    while positions < COMPARED:
        theirs, ours = pyspiel.load_game("mancala").new_initial_state(), game.initial()
        while not theirs.is_terminal():
            moves = list(game.moves(ours))
            assert theirs.current_player() == ours.turn
            assert theirs.legal_actions() == [1 + move + 7 * ours.turn for move in moves]
            move = chance.choice(moves)
            theirs.apply_action(1 + move + 7 * ours.turn)
            ours = game.play(ours, move)
            holes = [int(count) for count in theirs.observation_tensor(0)[:14]]
            south, north = (",".join(map(str, row)) for row in (holes[1:8], [*holes[8:], holes[0]]))
            assert game.format(ours).startswith(f"{south}/{north} ")
            positions += 1
        score = game.score(ours)
        assert game.is_terminal(ours)
        assert theirs.returns()[0] == (score > 0) - (score < 0)
        games += 1
    yield {"games": games, "positions": positions, "differences": 0}


SECTIONS = {"known": known, "usual": usual, "banked": banked, "open-spiel": open_spiel}

if __name__ == "__main__":
    run("Kalah", "kalah", __doc__, SECTIONS)
