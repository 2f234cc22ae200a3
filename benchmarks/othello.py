"""Othello: how fast the rules are, small boards solved, and the published FFO endgames beside what others need.

Run it with ``make bench`` (about two minutes), or ``python benchmarks/othello.py SECTION...`` for some sections.  It
writes ``results/othello.md``.  The endgames are read from ``../shared/data/othello``, or ``othello`` in the folder
``$PLYWISE_DATA``; without them that section is skipped.  Seconds are processor time of one thread, after compiling.

``python benchmarks/othello.py six`` also solves the 6 by 6 board after the first move, all four of which are alike by
symmetry.  It is no part of the usual run, because nobody has waited for it yet.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

import plywise as pw
from engine import Row, cpu, data, run
from plywise.bits import popcount
from plywise.compiling.reading import specialised
from plywise.engine.any_code import made_by
from plywise.games import Othello

GAME = Othello()

PERFT = {9: (3_005_288, 0), 10: (24_571_284, 228), 11: (212_258_800, 584)}
"""Published counts (Bik 2009), by depth, and how many of the games they count ended before."""

SMALL = {"4 by 4": (Othello(4), -10), "4 by 4, discs alone": (Othello(4, True), -8)}

HARD = range(40, 45)
"""The endgames of the target: all together in 300 s, as a stretch 60 s."""

EDAX = 17.0
"""Seconds that Edax, in C and with neutral weights, needs for the hard ones on such a machine, not in this run."""


def perft() -> Iterator[Row]:
    """Counting sequences of moves from the first position"""
    pw.algorithms.perft(GAME, None, 2)
    for depth, (published, ended) in PERFT.items():
        seconds, count = cpu(partial(pw.algorithms.perft, GAME, None, depth))
        assert count + ended == published
        yield {"depth": depth, "sequences": count, "games that ended before": ended, "published": published,
               "s": seconds, "million sequences / s": count / seconds / 1e6}  # fmt: skip


def small() -> Iterator[Row]:
    """Empty small boards, solved from nothing"""
    for name, (game, value) in SMALL.items():
        yield _solved(name, game, game.initial(), value)


def six() -> Iterator[Row]:
    """The 6 by 6 board after the first move"""
    game = Othello(6)
    state = game.initial()
    yield _solved("6 by 6", game, game.play(state, next(iter(game.moves(state)))), -4)


def endgames() -> Iterator[Row]:
    """The FFO endgames, each solved from nothing with a table of 256 MB"""
    folder = data("othello")
    if folder is None:
        raise SystemExit("skipped: the FFO endgames are missing (set PLYWISE_DATA)")
    rows = []
    for number, line in enumerate((folder / "ffo20-44.txt").read_text().splitlines(), 20):
        text, best, *_ = line.split(";")
        state = GAME.parse(text)
        rows.append(_solved(f"#{number}", GAME, state, int(best.split(":")[1]) * pw.sign(state.turn)))
        yield rows[-1]
    for name, chosen in (("all", rows), ("#40 to #44", [rows[number - 20] for number in HARD])):
        yield _row(name, "", "", sum(row["nodes"] for row in chosen), sum(row["s"] for row in chosen))
    yield {**_row("#40 to #44, Edax (earlier run)", "", "", 0, EDAX), "nodes": "", "million nodes / s": ""}


def _solved(name: str, game: Othello, state: pw.State, value: int) -> Row:
    """Solve a position, whose value for Black is known."""
    with made_by(specialised):  # at once, not after some seconds
        engine = pw.Engine(game, table_mb=256)
        engine.solve(_near_the_end(game))
        engine.clear()
        seconds, result = cpu(lambda: engine.solve(state))
    assert result.value == value, (name, result.value, value)
    return _row(name, game.size**2 - popcount(state.mine | state.theirs), value, result.nodes, seconds)


def _near_the_end(game: Othello) -> pw.State:
    """Return a position that is solved at once, for compiling."""
    state = game.initial()
    while popcount(state.mine | state.theirs) < game.size**2 - 4:
        after = game.play(state, next(iter(game.moves(state))))
        if game.is_terminal(after):
            break
        state = after
    return state


def _row(name: str, empty: int | str, value: int | str, nodes: int, seconds: float) -> Row:
    return {"position": name, "empty squares": empty, "value for Black": value, "nodes": nodes, "s": seconds,
            "million nodes / s": nodes / seconds / 1e6}  # fmt: skip


SECTIONS = {"perft": perft, "small": small, "endgames": endgames}

if __name__ == "__main__":
    run("Othello", "othello", __doc__, {"six": six} if sys.argv[1:] == ["six"] else SECTIONS)
