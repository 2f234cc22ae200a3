"""Playouts of Go: games played to the end by simple rules, several ten thousand a second.

A player answers the move before, as in MoGo (Gelly, Wang, Munos and Teytaud 2006): takes the stones that it left in
atari, saves stones that it put into atari, or plays a good shape beside it.  Otherwise a move is random.  Nobody fills
an eye of his own, so a playout ends when only eyes are left.

The board of a playout is an array that changes, with a row for each kind of fact about a point, and an edge of points
around the board.  Liberties of a group are counted once for each stone beside them.  If the square of the sum of their
indices is their number times the sum of the squares, all of them are the same point: the group is in atari (the trick
is from Lew's libEGO).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from plywise.compiling.native import inlined
from plywise.games.go.area import NOWHERE
from plywise.games.go.shapes import BLACK, EDGE, EMPTY, ENCLOSED, EYE, OPEN, ROOMY, SHAPE

if TYPE_CHECKING:
    from plywise.games.go.board import Goban
    from plywise.games.go.go import Go, Stones

(
    COLOUR,  # EMPTY, BLACK, WHITE or EDGE
    NEAR,  # the colours of the eight neighbours, as in shapes
    HEAD,  # of a stone: the stone that stands for its group
    NEXT,  # of a stone: the next stone of its group, in a circle
    STONES,  # of a head: how many stones the group has
    LIBERTIES,  # of a head: the liberties of the group, once for each stone beside them
    SUM,  # of a head: the sum of their indices
    SQUARES,  # of a head: the sum of the squares of their indices
    FREE,  # a list of the empty points
    PLACE,  # of an empty point: where it is in that list
    CHOICES,  # a list of moves to choose from
    FACTS,  # of the whole board, see below
    KINDS,
) = range(13)
"""The rows of a board."""

FREE_POINTS, KO, AREA = range(3)
"""Columns of the row FACTS: the number of empty points, the point that may not be retaken, and Black's stones minus
White's.
"""

NONE = 0
"""No point: a corner of the edge."""

ANSWERED = 9
"""Of ten moves, this many answer the move before if they can; a little luck keeps playouts from being all alike."""
THOUGHTLESS = 5
"""Of ten random moves, this many are played even if they put stones of their own into atari."""


def playout(game: Go, state: Stones, trail: Any, answered: int = ANSWERED, thoughtless: int = THOUGHTLESS) -> float:
    """Play a game to the end from ``state``, and return its score for MAX."""
    board = set_up(game, state)
    colour, passes, passed = BLACK + state.turn, state.passes, False
    last = NONE if state.last == NOWHERE else game.inner[state.last]
    while passes < 2 and trail.left() > 1:
        point = NONE
        if last != NONE and trail.below(10) < answered:
            point = answer(game, board, colour, last, trail)
        if point == NONE:
            point = any_move(game, board, colour, thoughtless, trail)
        if point == NONE:
            passes, passed = passes + 1, True
            board[FACTS, KO] = NONE
        else:
            if passed:  # noted only now: from passes at the end of every game there is nothing to learn
                trail.note(other(colour) - BLACK, game.size)
            passes, passed = 0, False
            trail.note(colour - BLACK, int(game.outer[point]))
            put(game, board, point, colour)
        last = point
        colour = other(colour)
    return area(game, board) - game.komi


def empty_board(game: Goban) -> np.ndarray:
    """Return the board of a playout without stones."""
    board = np.zeros((KINDS, len(game.outer)), dtype=np.int64)
    board[COLOUR] = EDGE
    board[COLOUR, game.inner] = EMPTY
    for i, step in enumerate(game.steps):
        board[NEAR, game.inner] |= board[COLOUR, game.inner + step] << 2 * i
    board[FREE, : game.size] = game.inner
    board[PLACE, game.inner] = np.arange(game.size)
    board[FACTS, FREE_POINTS] = game.size
    return board


# The board ------------------------------------------------------------------------------------------------------------


def set_up(game: Go, state: Stones) -> np.ndarray:
    """Return the board of a playout from ``state``."""
    board: np.ndarray = game.edges.copy()
    mine = BLACK + state.turn
    for move in range(game.size):
        if game.has(state.mine, move):
            put(game, board, game.inner[move], mine)
        elif game.has(state.theirs, move):
            put(game, board, game.inner[move], other(mine))
    board[FACTS, KO] = NONE if state.ko == NOWHERE else game.inner[state.ko]
    return board


@inlined
def other(colour: int) -> int:
    return 3 - colour


def put(game: Go, board: np.ndarray, point: int, colour: int) -> None:
    """Put a stone on an empty point, where it is legal, and take what it captures."""
    enclosed = game.shapes[board[NEAR, point]] & ENCLOSED << other(colour) - BLACK
    board[FACTS, KO] = NONE
    board[FACTS, AREA] += 3 - 2 * colour
    _fill(board, point)
    board[COLOUR, point] = colour
    board[HEAD, point] = board[NEXT, point] = point
    board[STONES, point] = 1
    board[LIBERTIES, point] = board[SUM, point] = board[SQUARES, point] = 0
    for i in range(8):
        board[NEAR, point + game.steps[i]] ^= colour << 2 * (i ^ 2)
    for i in range(4):
        near = point + game.steps[i]
        if board[COLOUR, near] == EMPTY:
            _add_liberty(board, point, near, 1)
        elif board[COLOUR, near] != EDGE:
            _add_liberty(board, board[HEAD, near], point, -1)
    for i in range(4):
        near = point + game.steps[i]
        if board[COLOUR, near] == colour:
            _join(board, board[HEAD, point], board[HEAD, near])
    taken, single = 0, NONE
    for i in range(4):
        near = point + game.steps[i]
        if board[COLOUR, near] == other(colour) and board[LIBERTIES, board[HEAD, near]] == 0:
            taken += board[STONES, board[HEAD, near]]
            single = near
            _take(game, board, near, colour)
    if enclosed and taken == 1:
        board[FACTS, KO] = single


@inlined
def _fill(board: np.ndarray, point: int) -> None:
    """Take a point from the list of empty ones: the last one takes its place."""
    board[FACTS, FREE_POINTS] -= 1
    place, final = board[PLACE, point], board[FREE, board[FACTS, FREE_POINTS]]
    board[FREE, place] = final
    board[PLACE, final] = place


@inlined
def _add_liberty(board: np.ndarray, head: int, point: int, times: int) -> None:
    board[LIBERTIES, head] += times
    board[SUM, head] += times * point
    board[SQUARES, head] += times * point * point


@inlined
def _join(board: np.ndarray, one: int, two: int) -> None:
    """Make one group of two, unless they are one."""
    if one == two:
        return
    if board[STONES, one] < board[STONES, two]:
        one, two = two, one
    for fact in range(STONES, SQUARES + 1):
        board[fact, one] += board[fact, two]
    stone = two
    while True:
        board[HEAD, stone] = one
        stone = board[NEXT, stone]
        if stone == two:
            break
    board[NEXT, one], board[NEXT, two] = board[NEXT, two], board[NEXT, one]


def _take(game: Go, board: np.ndarray, first: int, captor: int) -> None:
    """Take a group off the board."""
    colour = other(captor)
    stone = first
    while True:
        board[COLOUR, stone] = EMPTY
        board[FACTS, AREA] -= 3 - 2 * colour
        board[PLACE, stone] = board[FACTS, FREE_POINTS]
        board[FREE, board[FACTS, FREE_POINTS]] = stone
        board[FACTS, FREE_POINTS] += 1
        for i in range(8):
            board[NEAR, stone + game.steps[i]] ^= colour << 2 * (i ^ 2)
        for i in range(4):
            near = stone + game.steps[i]
            if board[COLOUR, near] == captor:
                _add_liberty(board, board[HEAD, near], stone, 1)
        stone = board[NEXT, stone]
        if stone == first:
            break


def area(game: Go, board: np.ndarray) -> int:
    """Return Black's area minus White's at the end of a playout, when all empty points are single ones."""
    lead = int(board[FACTS, AREA])
    for i in range(board[FACTS, FREE_POINTS]):
        around = game.shapes[board[NEAR, board[FREE, i]]] // ENCLOSED & 3
        lead += (0, 1, -1, 0)[around]
    return lead


# Moves ----------------------------------------------------------------------------------------------------------------


def any_move(game: Go, board: np.ndarray, colour: int, thoughtless: int, trail: Any) -> int:
    """Return a random legal move that fills no eye; NONE if there is none.

    Moves that were tried in vain are put behind the others in the list of empty points.
    """
    left = int(board[FACTS, FREE_POINTS])
    spare = NONE
    while left > 0:
        point = board[FREE, trail.below(left)]
        if game.shapes[board[NEAR, point]] & EYE << colour - BLACK == 0 and is_legal(game, board, point, colour):
            if trail.below(10) < thoughtless or not is_self_atari(game, board, point, colour):
                return int(point)
            spare = point
        left -= 1
        place, final = board[PLACE, point], board[FREE, left]
        board[FREE, place], board[FREE, left] = final, point
        board[PLACE, final], board[PLACE, point] = place, left
    return int(spare)


def answer(game: Go, board: np.ndarray, colour: int, last: int, trail: Any) -> int:
    """Return an answer to the opponent's move at ``last``; NONE if there is none."""
    count = 0
    if in_atari(board, board[HEAD, last]):
        count = _add_choice(game, board, count, only_liberty(board, board[HEAD, last]), colour)
    for i in range(4):
        near = last + game.steps[i]
        if board[COLOUR, near] == colour and in_atari(board, board[HEAD, near]):
            count = _add_rescues(game, board, count, near, colour)
    if count == 0:
        for i in range(8):
            near = last + game.steps[i]
            shaped = board[COLOUR, near] == EMPTY and game.shapes[board[NEAR, near]] & SHAPE << colour - BLACK
            if shaped and not is_self_atari(game, board, near, colour):
                count = _add_choice(game, board, count, near, colour)
    return int(board[CHOICES, trail.below(count)]) if count else NONE


def _add_choice(game: Go, board: np.ndarray, count: int, point: int, colour: int) -> int:
    """Add a move to the choices if it is legal; returns their number."""
    if not is_legal(game, board, point, colour):
        return count
    board[CHOICES, count] = point
    return count + 1


def _add_rescues(game: Go, board: np.ndarray, count: int, stone: int, colour: int) -> int:
    """Add the moves that save the group of ``stone``: its liberty, if it gets more there, and captures beside it."""
    point = only_liberty(board, board[HEAD, stone])
    if not is_self_atari(game, board, point, colour):
        count = _add_choice(game, board, count, point, colour)
    at = stone
    while True:
        for i in range(4):
            near = at + game.steps[i]
            if count < game.size and board[COLOUR, near] == other(colour) and in_atari(board, board[HEAD, near]):
                count = _add_choice(game, board, count, only_liberty(board, board[HEAD, near]), colour)
        at = board[NEXT, at]
        if at == stone:
            return count


@inlined
def in_atari(board: np.ndarray, head: int) -> bool:
    """Return whether a group has only one liberty."""
    return board[LIBERTIES, head] * board[SQUARES, head] == board[SUM, head] * board[SUM, head]  # type: ignore[no-any-return]


@inlined
def only_liberty(board: np.ndarray, head: int) -> int:
    """Return the liberty of a group in atari."""
    return board[SUM, head] // board[LIBERTIES, head]  # type: ignore[no-any-return]


@inlined
def is_legal(game: Go, board: np.ndarray, point: int, colour: int) -> bool:
    """Return whether a stone may be put on an empty point."""
    if game.shapes[board[NEAR, point]] & OPEN:
        return True
    if point == board[FACTS, KO]:
        return False
    for i in range(4):
        near = point + game.steps[i]
        if board[COLOUR, near] != EDGE and in_atari(board, board[HEAD, near]) != (board[COLOUR, near] == colour):
            return True
    return False


@inlined
def is_self_atari(game: Go, board: np.ndarray, point: int, colour: int) -> bool:
    """Return whether a stone on an empty point is in atari, with its group, and captures nothing."""
    if game.shapes[board[NEAR, point]] & ROOMY:
        return False
    liberties = total = squares = 0
    for i in range(4):
        near = point + game.steps[i]
        if board[COLOUR, near] == EMPTY:
            liberties, total, squares = liberties + 1, total + near, squares + near * near
        elif board[COLOUR, near] == colour:
            head = board[HEAD, near]
            liberties, total, squares = liberties - 1, total - point, squares - point * point
            if not _counted(game, board, point, i):
                liberties += board[LIBERTIES, head]
                total += board[SUM, head]
                squares += board[SQUARES, head]
        elif board[COLOUR, near] != EDGE and in_atari(board, board[HEAD, near]):
            return False
    return liberties * squares == total * total


@inlined
def _counted(game: Go, board: np.ndarray, point: int, i: int) -> bool:
    """Return whether a group beside a point is also in a direction before ``i``."""
    for j in range(i):
        near, stone = point + game.steps[j], point + game.steps[i]
        if board[COLOUR, near] == board[COLOUR, stone] and board[HEAD, near] == board[HEAD, stone]:
            return True
    return False
