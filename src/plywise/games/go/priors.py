"""What a Go player sees at a glance: how good a move looks before a search has tried it.

Each feature of a move counts as a number of playouts, all won or all lost.  The features are those of Gelly and Silver
(2007) and of Baudiš and Gailly's Pachi (2012): captures, rescues, self-atari, shapes, and the distance to the move
before and to the edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.compiling.native import inlined
from plywise.games.go.area import NOWHERE, common, is_empty, size, union, without
from plywise.games.go.shapes import BLACK, EDGE, EYE, SHAPE

if TYPE_CHECKING:
    from plywise.games.go.go import Go, Stones

EVEN = 10
"""Half of these playouts are won, whatever the move."""
CAPTURE_ONE, CAPTURE_MORE = 15, 30
RESCUE = 20
SELF_ATARI = 15
SHAPED = 10
LINE, LINE_ON_LARGE_BOARDS, LARGE = 10, 60, 169
"""For a lonely move; more on boards with at least this many points, where there is more to choose from."""
FILLED_EYE = 30
PASSED = 10
NEAR = (0, 0, 24, 24, 20, 20, 8, 8)
"""By the distance to the move before: rows, columns, and the larger of both."""
LONELY = 3
"""A move is lonely if there are no stones within this many rows and columns."""


def prior(game: Go, state: Stones, move: int) -> tuple[float, float]:
    """Return the playouts that a move seems to have won, and all that it seems to have had."""
    if move == game.size:
        return (0.0, float(PASSED))
    won, lost = EVEN / 2, EVEN / 2
    won += NEAR[nearness(game, state.last, move)]
    code = neighbourhood(game, state, move)
    if game.shapes[code] & SHAPE << state.turn:
        won += SHAPED
    if game.shapes[code] & EYE << state.turn:
        lost += FILLED_EYE
    gain, loss = tactics(game, state, move)
    won, lost = won + gain, lost + loss
    if is_lonely(game, state, move):
        weight = LINE if game.size < LARGE else LINE_ON_LARGE_BOARDS
        line = height(game, move)
        if line < 2:
            lost += weight
        elif line == 2:
            won += weight
    return (won, won + lost)


@inlined
def tactics(game: Go, state: Stones, move: int) -> tuple[float, float]:
    """Return the playouts won for captures and rescues, and lost for self-atari."""
    stone = game.at(move)
    around = game.beside(stone)
    mine, theirs = common(around, state.mine), common(around, state.theirs)
    empty = without(game.empty(state), stone)
    won = lost = 0.0
    taken = 0
    if not is_empty(theirs):
        taken = size(game.captured(state, stone))
        if taken:
            won += CAPTURE_ONE if taken == 1 else CAPTURE_MORE
    groups = stone if is_empty(mine) else game.spread_within(union(state.mine, stone), stone)
    liberties = size(common(game.beside(groups), empty))
    if taken == 0 and liberties < 2:
        lost += SELF_ATARI
    elif not is_empty(mine) and was_in_atari(game, state, move):
        won += RESCUE
    return won, lost


@inlined
def was_in_atari(game: Go, state: Stones, move: int) -> bool:
    """Return whether a move extends a group in atari."""
    empty = game.empty(state)
    for i in range(4):
        near = game.neighbour(move, i)
        if near != NOWHERE and game.has(state.mine, near):
            group = game.spread_within(state.mine, game.at(near))
            if size(common(game.beside(group), empty)) == 1:
                return True
    return False


@inlined
def neighbourhood(game: Go, state: Stones, move: int) -> int:
    """Return the colours of the eight neighbours, as in ``shapes``."""
    code = 0
    for i in range(8):
        near = game.neighbour(move, i)
        if near == NOWHERE:
            code |= EDGE << 2 * i
        elif game.has(state.mine, near):
            code |= BLACK + state.turn << 2 * i
        elif game.has(state.theirs, near):
            code |= BLACK + 1 - state.turn << 2 * i
    return code


@inlined
def nearness(game: Go, last: int, move: int) -> int:
    """Return the distance to the move before, as an index of ``NEAR``."""
    if last == NOWHERE:
        return 0
    rows = abs(last // game.width - move // game.width)
    columns = abs(last % game.width - move % game.width)
    distance = rows + columns + max(rows, columns)
    return distance if distance < len(NEAR) else 0


@inlined
def height(game: Go, move: int) -> int:
    """Return how far a point is from the edge: 0 on the first line."""
    row, column = divmod(move, game.width)
    return min(row, game.rows - 1 - row, column, game.width - 1 - column)


@inlined
def is_lonely(game: Go, state: Stones, move: int) -> bool:
    """Return whether there are no stones near a point."""
    area = game.at(move)
    for _ in range(LONELY):
        area = union(area, game.beside(area))
    return is_empty(common(area, union(state.mine, state.theirs)))
