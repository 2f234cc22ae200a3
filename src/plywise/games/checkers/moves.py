"""Moves of checkers, as numbers and as changes of a position.

A step is the bits of its two squares.  A capture is the square where it starts and the pieces that it takes: nothing
else matters to the position after it, neither the order of its jumps nor where it ends, which follows.

A jump passes over one row and one column, so a piece that starts in an even row (the one with 1 to 4 is the first of
them) only takes pieces in odd rows, away from the sides: nine squares, in three groups nine bits apart.  From an odd
row it is the same with nine squares of even rows.  So nine bits hold the pieces taken, and sixteen a move:

    15  14 . . . . . . . 6  5 . . . . 0
     0      where it ends     the start          a step
     1    the pieces taken    the start          a capture

              . . . . . . . .                    . . . . . . . .
              . . 0 . 1 . 2 .                    . . . . . . . .
              . . . . . . . .                    . 0 . 1 . 2 . .
    start in  . . 3 . 4 . 5 .          start in  . . . . . . . .
    an even   . . . . . . . .          an odd    . 3 . 4 . 5 . .
    row       . . 6 . 7 . 8 .          row       . . . . . . . .
              . . . . . . . .                    . 6 . 7 . 8 . .
              . . . . . . . .                    . . . . . . . .
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plywise.bits import lowest, popcount
from plywise.compiling.native import inlined
from plywise.games.checkers.board import (
    BOARD,
    CROWNING,
    EVEN_ROWS,
    PAIR,
    STEPS,
    Position,
    able,
    shifted,
    sides,
)

CAPTURE = 1 << 15
"""The bit of a move that is a capture."""

WEAVE = 0b101 | 0b1010 << PAIR | 0b101 << 2 * PAIR | 0b1010 << 3 * PAIR
WEAVE |= WEAVE << 4
"""Every other square of each row, and of each pair of rows.  A jump that starts on one of them ends on one of them:

    . x . . . x . .
    x . . . x . . .
    . . . x . . . x
    . . x . . . x .
    . x . . . x . .   and so on
"""

START = 1
"""A route without jumps."""


class Jumps(NamedTuple):
    """A capture, or a part of one."""

    at: int
    """The square that it has reached, as a bit."""
    taken: int
    """The pieces that it takes."""
    route: int
    """The directions of its jumps, two bits each, after a leading one."""


class Ground(NamedTuple):
    """Where a piece may jump: what the jumps of one capture have in common."""

    theirs: int
    """The pieces that it may take."""
    free: int
    """The squares where it may land; that where it starts is one of them."""
    first: int
    """The first of its directions."""
    end: int
    """The last of its directions, plus one."""


# Finding moves --------------------------------------------------------------------------------------------------------


@inlined
def steps(state: Position) -> Iterator[int]:
    """Yield the moves that are not captures."""
    empty = BOARD & ~(state.black | state.white)
    for direction in range(4):
        step = STEPS[direction]
        targets = shifted(able(state, direction), step) & empty
        while targets:
            target = lowest(targets)
            targets &= targets - 1
            yield target << 6 | target - step


def count_steps(state: Position) -> int:
    """Return the number of moves that are not captures."""
    empty = BOARD & ~(state.black | state.white)
    count = 0
    for direction in range(4):
        count += popcount(shifted(able(state, direction), STEPS[direction]) & empty)
    return count


def can_step(state: Position) -> bool:
    """Return whether a piece of the player to move can make a step."""
    empty = BOARD & ~(state.black | state.white)
    targets = 0
    for direction in range(4):
        targets |= shifted(able(state, direction), STEPS[direction])
    return targets & empty != 0


def jumpers(state: Position) -> int:
    """Return the pieces of the player to move that can capture."""
    mine, theirs = sides(state)
    empty = BOARD & ~(mine | theirs)
    found = 0
    for direction in range(4):
        step = STEPS[direction]
        found |= able(state, direction) & shifted(theirs, -step) & shifted(empty, -2 * step)
    return found


@inlined
def captures(state: Position) -> Iterator[int]:
    """Yield the captures, each to its end.

    A king may be able to make the same jumps in several orders.  They are one move, and the first order stands for it.
    """
    left = jumpers(state)
    while left:
        source = left & -left
        left ^= source
        ground = ground_of(state, source)
        jumps = next_capture(Jumps(source, 0, START), ground)
        while jumps.taken:
            if popcount(jumps.taken) < 4 or jumps.route == first_route(source, jumps.taken):
                yield capture_of(source, jumps.taken)
            jumps = next_capture(jumps, ground)


def ground_of(state: Position, source: int) -> Ground:
    """Return where the piece on a square may jump."""
    _, theirs = sides(state)
    free = BOARD & ~(state.black | state.white) | source
    if state.kings & source:
        return Ground(theirs, free, 0, 4)
    return Ground(theirs, free, 2 * state.turn, 2 * state.turn + 2)


def next_capture(jumps: Jumps, ground: Ground) -> Jumps:
    """Return the complete capture that follows another in the order of directions; one without jumps after the last.

    This is depth-first search.  A capture is complete where no further jump is possible: nobody may stop before.
    """
    at, taken, route = jumps
    direction = ground.first if route == START else ground.end
    while True:
        fresh = direction == ground.first
        while direction < ground.end and not can_jump(at, taken, direction, ground):
            direction += 1
        if direction < ground.end:
            step = STEPS[direction]
            at, taken, route = shifted(at, 2 * step), taken | shifted(at, step), route << 2 | direction
            direction = ground.first
        elif fresh or route == START:
            return Jumps(at, taken, route)
        else:
            direction = route & 3
            step = STEPS[direction]
            at, taken, route = shifted(at, -2 * step), taken ^ shifted(at, -step), route >> 2
            direction += 1


def can_jump(at: int, taken: int, direction: int, ground: Ground) -> bool:
    """Return whether a capture can go on in a direction.  No piece is taken twice."""
    step = STEPS[direction]
    return shifted(at, step) & ground.theirs & ~taken != 0 and shifted(at, 2 * step) & ground.free != 0


def first_route(source: int, taken: int) -> int:
    """Return the route of the first capture, in the order of directions, that takes exactly these pieces."""
    ground = Ground(taken, BOARD, 0, 4)
    jumps = next_capture(Jumps(source, 0, START), ground)
    while jumps.taken != taken:
        jumps = next_capture(jumps, ground)
    return jumps.route


# Moves as numbers -----------------------------------------------------------------------------------------------------


def capture_of(source: int, taken: int) -> int:
    """Return the move with which the piece on a square takes these pieces."""
    low = taken >> (5 if source & EVEN_ROWS else 9)
    return CAPTURE | ((low & 7) | low >> 6 & 56 | low >> 12 & 448) << 6 | lowest(source)


def source_of(move: int) -> int:
    """Return the square where a move starts, as a bit."""
    return 1 << (move & 63)


def taken_by(move: int) -> int:
    """Return the pieces that a move takes."""
    if move & CAPTURE == 0:
        return 0
    packed = move >> 6 & 511
    low = packed & 7 | (packed & 56) << 6 | (packed & 448) << 12
    return low << (5 if source_of(move) & EVEN_ROWS else 9)


def target_of(move: int) -> int:
    """Return the square where a move ends, as a bit.

    A jump joins two squares of one weave.  The jumps of a capture pass every square an even number of times, coming and
    going, except for the first and the last.
    """
    if move & CAPTURE == 0:
        return 1 << (move >> 6)
    source, taken = source_of(move), taken_by(move)
    weave = WEAVE if source & WEAVE else BOARD ^ WEAVE
    return source ^ (taken << 4 ^ taken >> 4 ^ taken << 5 ^ taken >> 5) & weave


def after(state: Position, move: int) -> Position:
    """Return the position after a move."""
    mine, theirs = sides(state)
    source, target, taken = source_of(move), target_of(move), taken_by(move)
    crowned = state.kings & source != 0
    mine = mine & ~source | target
    theirs &= ~taken
    kings = state.kings & ~(source | taken)
    if crowned or target & CROWNING[state.turn]:
        kings |= target
    clock = state.clock + 1 if crowned and taken == 0 else 0
    if state.turn:
        return Position(theirs, mine, kings, 0, clock)
    return Position(mine, theirs, kings, 1, clock)
