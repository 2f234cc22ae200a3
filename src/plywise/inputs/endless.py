"""Dice games in which positions recur: no search to the end of them ends, because no repetition is forced.

A line of play is followed until it comes back to one of its positions.  Only the first few thousand positions are
looked at, so that this takes no time; a game that seems to end may still be endless.
"""

from __future__ import annotations

from collections.abc import Iterator

from plywise.errors import SearchError
from plywise.game import Game, State
from plywise.inputs.limits import LONGEST_LINE
from plywise.layers import Chance

LOOKED_AT = 2000
"""How many positions to look at."""


def check_ends(game: Game, start: State) -> None:
    """Check that a search to the end of a game with chance can end.

    Raises:
        SearchError: positions recur; the message says what to use instead.

    """
    if isinstance(game, Chance) and can_go_round(game, start):
        instead = "solve the game with 'plywise tabulate', or " if game.is_zero_sum() else ""
        raise SearchError(f"positions of {game!r} recur, so a search to the end never ends; {instead}search with a "
                          "limit")  # fmt: skip


def can_go_round(game: Game, start: State) -> bool:
    """Return whether a line of play from ``start`` comes back to one of its positions, as far as the first ones tell.

    >>> import plywise as pw
    >>> [can_go_round(game, game.initial()) for game in (pw.games.Pig(20), pw.games.Nim())]
    [True, False]
    """
    try:
        on_line, seen = {start}, {start}
    except TypeError:  # the positions of an adapted game may not be hashable
        return False
    line = [(start, _children(game, start))]
    while line:
        state, children = line[-1]
        child = next(children, None)
        if child is None:
            on_line.discard(state)
            line.pop()
        elif child in on_line:
            return True
        elif child not in seen and len(line) < LONGEST_LINE:
            if len(seen) == LOOKED_AT:
                return False
            seen.add(child)
            on_line.add(child)
            line.append((child, _children(game, child)))
    return False


def _children(game: Game, state: State) -> Iterator[State]:
    if not game.is_terminal(state):
        for move in game.moves(state):
            yield game.play(state, move)
