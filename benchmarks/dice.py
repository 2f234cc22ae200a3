"""Searches with dice: Star2 beside Star1 and plain expectiminimax in Backgammon, and what looking further is worth.

Run it with ``make bench``, or ``python benchmarks/dice.py SECTION...`` for some sections.  It writes
``results/dice.md``.  The searches take about a minute, the match about two; you can stop the match at any time, and it
resumes where it was.  Its games, with the seeds of their dice, are kept in ``results/dice``.

A ply is a roll or the move of one man, as everywhere in plywise, so a turn without doubles is two plies after the roll.
Depth 2 is the player's own turn, which players of Backgammon call one ply; 5 adds all rolls and the opponent's turn
(two ply); 8 adds all rolls and the player's next turn (three ply).  The engine's nodes include shallower searches.
"""

from __future__ import annotations

from collections.abc import Iterator

import plywise as pw
from engine import HERE, Row, run
from plywise.compiling.fingerprint import rules_digest
from plywise.games import Backgammon

GAME = Backgammon()
GAMES = HERE / "results" / "dice"

TURNS = {1: 2, 2: 5, 3: 8}
"""The number of plies, by the number of turns."""

ALGORITHMS = ("expectiminimax", "star1", "star2", "engine")

POSITIONS = (
    "aA--a-D-C--AcE---bcd--A-a- black 54",
    "-D---Ba-C---eD---bbb-bAaA- black 53",
    "-A-B-cCBC--B---A-bcbb-baA- black 63",
    "----C-BbBB-Bb----c-b-cbDa- white 65",
    "a-aD--aDB---cB-A--cdB---b- black 41",
)
"""From games of Star2, one ply deep, against itself: after 6, 9, 12, 15 and 18 turns and a roll."""

MATCH = 200
"""How many games to play."""


def searches() -> Iterator[Row]:
    """Nodes and seconds of searches in the middle of a game, after a roll"""
    for algorithm in ALGORITHMS:
        pw.search(GAME, POSITIONS[0], depth=2, algorithm=algorithm)  # compile
    for turns in (2, 3):
        totals = {name: [0, 0.0] for name in ALGORITHMS}
        for position in POSITIONS:
            yield _row(position, turns, totals)
        yield _shown("all", turns, totals)


def _row(position: str, turns: int, totals: dict[str, list[float]]) -> Row:
    """Search one position with all algorithms, whose values must be equal."""
    found = {name: pw.search(GAME, position, depth=TURNS[turns], algorithm=name) for name in ALGORITHMS}
    exact = found["expectiminimax"].value
    for name, result in found.items():
        assert abs(result.value - exact) < 1e-9, (position, name, result.value, exact)
        totals[name][0] += result.nodes
        totals[name][1] += result.seconds
    return _shown(position, turns, {name: [result.nodes, result.seconds] for name, result in found.items()})


def _shown(what: str, turns: int, figures: dict[str, list[float]]) -> Row:
    nodes = {f"{name}, nodes": int(count) for name, (count, _) in figures.items()}
    seconds = {f"{name}, s": float(spent) for name, (_, spent) in figures.items()}
    return {"position": what, "depth": f"{turns}-ply ({TURNS[turns]} plies)", **nodes, **seconds}


def match() -> Iterator[Row]:
    """Two-ply against one-ply search with the same evaluation, by Star2; both games of a pair have the same dice"""
    GAMES.mkdir(parents=True, exist_ok=True)
    bots = [f"star2,depth={TURNS[turns]},name={turns}-ply" for turns in (2, 1)]
    ended = pw.match(GAME, *bots, games=MATCH, out=GAMES / f"two-ply-{rules_digest(GAME)}.jsonl")
    about = ended.estimate
    assert ended.score is not None
    assert ended.mean is not None
    yield {
        "games": ended.played, "won": ended.wins, "lost": ended.losses, "score": f"{ended.score:.1%}",
        "Elo, with 95 % error bars": f"{about.elo:+.0f} ({about.low:+.0f} to {about.high:+.0f})",
        "mean points a game": f"{ended.mean:+.3f}", "faults": len(ended.faults),
    }  # fmt: skip


SECTIONS = {"searches": searches, "match": match}

if __name__ == "__main__":
    run("Dice", "dice", __doc__, SECTIONS)
