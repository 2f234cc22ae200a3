"""The levels of the page: what each is worth, in a round-robin of all of them.

Run it with ``python benchmarks/levels.py``, or ``python benchmarks/levels.py GAME...`` for some games.  It takes hours,
can be stopped at any time, and resumes where it was: the games are kept in ``results/levels``.  With all games it
writes ``results/levels.md``.  ``$PLYWISE_LEVEL_GAMES`` is the number of games of each pair, 20 by default.

Every level plays the two above it, each opening from both sides, after a few random moves; levels further apart would
tell little, since nearly always the same one wins.  The ratings are the likeliest ones (Bradley and Terry 1952), with
Beginner at 0.  One more draw is counted for each pair of neighbours, so that a level that won every game has a rating
too.  Neighbours should differ by 100 to 300 Elo: less is hardly felt, more is a wall.

The levels have their limits of nodes; full strength thinks for half a second, and as its games are the longest it
plays only the level below.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple
from zlib import crc32

import plywise as pw
from engine import HERE, Row, run
from plywise.algorithms import plays_by_playouts
from plywise.compiling.fingerprint import rules_digest
from plywise.engine.strength import FULL_STRENGTH, LEVELS
from plywise.game import Game
from plywise.games import catalogue
from plywise.match.arena import Conditions
from plywise.match.elo import expected

FOLDER = HERE / "results" / "levels"
GAMES = int(os.environ.get("PLYWISE_LEVEL_GAMES", "20"))
"""How many games each pair of levels plays."""
SECONDS = 0.5
"""How long full strength thinks about a move."""
ALLOWED = Conditions(margin=5.0)
"""A move may be late, so that nobody loses on time on a busy machine."""
RANDOM_PLIES = {"chess": 4, "checkers": 4, "othello": 4, "go": 2, "connect-four": 2}
"""The games, and how many random moves they start with, so that no two games are the same."""
ROUNDS = 2000
"""How often the ratings are improved: they have long settled then."""


class Played(NamedTuple):
    """The result of two levels' games, by their numbers."""

    first: int
    second: int
    games: float
    points: float
    """The first level's."""


def section(name: str) -> Callable[[], Iterator[Row]]:
    """Return the section of a game."""
    rows = partial(measured, name)
    rows.__doc__ = f"The levels in {name}, {GAMES} games a pair"
    return rows


def measured(name: str) -> Iterator[Row]:
    """Let all levels play a game, and yield a row for each."""
    if name not in catalogue():
        raise SystemExit(f"skipped: there is no game {name}")
    game = catalogue()[name]()
    results = [played(name, game, *pair) for pair in pairs(len(LEVELS))]
    found = ratings(results, len(LEVELS))
    for level, title in enumerate(LEVELS):
        below = next((each for each in results if (each.first, each.second) == (level - 1, level)), None)
        row: Row = {"level": title, "Elo": f"{found[level]:+.0f}"}
        row["above the one before"] = "" if below is None else f"{found[level] - found[level - 1]:+.0f}"
        row["score against it"] = "" if below is None else f"{1 - below.points / below.games:.0%}"
        yield row


def pairs(levels: int) -> list[tuple[int, int]]:
    """Return which levels play each other, by their numbers.

    >>> pairs(4)
    [(0, 1), (0, 2), (1, 2), (2, 3)]
    """
    top = levels - 1
    return [(low, high) for low, high in combinations(range(levels), 2) if high - low <= (1 if high == top else 2)]


def played(name: str, game: Game, first: int, second: int) -> Played:
    """Let two levels play, or finish their match."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    titles = [*LEVELS]
    bots = [bot(game, titles[level]) for level in (first, second)]
    meaning = [tuple(LEVELS[titles[level]].strength(game, not plays_by_playouts(game))) for level in (first, second)]
    digest = crc32(f"{rules_digest(game)} {meaning}".encode())
    file = FOLDER / f"{name}-{first + 1}-{second + 1}-{digest:08x}.jsonl"
    ended = pw.match(game, *bots, games=GAMES, random_plies=RANDOM_PLIES[name], conditions=ALLOWED, out=file)
    return Played(first, second, ended.played, ended.wins + ended.draws / 2)


def bot(game: Game, level: str) -> str:
    """Return the bot that plays a level as the page does."""
    algorithm = "mcts" if plays_by_playouts(game) else "engine"
    limit = f",seconds={SECONDS}" if level == FULL_STRENGTH else ""
    return f"{algorithm},level={level}{limit},name={level}"


def ratings(results: Sequence[Played], levels: int) -> list[float]:
    """Return the likeliest ratings, with the first at 0: each is moved until it expects as many points as it made.

    >>> [round(rating) for rating in ratings([Played(0, 1, 100, 25)], 2)]
    [0, 189]
    """
    counted = [*results, *(Played(level, level + 1, 1, 0.5) for level in range(levels - 1))]
    found = [0.0] * levels
    for _ in range(ROUNDS):
        for level in range(levels):
            own = [each for each in counted if level in (each.first, each.second)]
            made = sum(each.points if each.first == level else each.games - each.points for each in own)
            others = [each.second if each.first == level else each.first for each in own]
            wished = sum(
                each.games * expected(found[level] - found[other]) for each, other in zip(own, others, strict=True)
            )
            found[level] += 400 * (made - wished) / sum(each.games for each in own)
    return [rating - found[0] for rating in found]


SECTIONS = {name: section(name) for name in RANDOM_PLIES}

if __name__ == "__main__":
    run("The levels of the page", "levels", __doc__, SECTIONS)
