"""Go on a tiny board: area scoring, no suicide, simple ko; two passes or the last of a number of moves end the game."""

from functools import cached_property
from typing import NamedTuple

import plywise as pw


class Stones(NamedTuple):
    black: int  # one bit a point
    white: int
    ko: int  # the point that may not be taken back at once, or -1
    passes: int
    left: int  # moves before the game is scored as it stands
    turn: int


class Go(pw.Game):
    """Go for a few points. A limit on the moves stands in for superko, so that every game ends."""

    width: int = 3
    height: int = 2
    longest: int = 8
    komi: float = 0.5

    @cached_property
    def points(self):
        return self.width * self.height

    @cached_property
    def beside(self):
        """The neighbours of each point, as bits."""
        beside = []
        for point in range(self.points):
            bits = 0
            for other in range(self.points):
                rows = abs(point // self.width - other // self.width)
                columns = abs(point % self.width - other % self.width)
                if rows + columns == 1:
                    bits |= 1 << other
            beside.append(bits)
        return tuple(beside)

    def initial(self):
        return Stones(0, 0, -1, 0, self.longest, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if not self.is_terminal(state):
            for point in range(self.points):
                if not (state.black | state.white) >> point & 1 and point != state.ko and self.is_alive(state, point):
                    yield point
            yield self.points  # pass

    def is_alive(self, state, point):
        """Whether a stone may stand here: it has a liberty, or takes something that has none left."""
        mine, theirs = self.both(state)
        mine |= 1 << point
        taken = self.without_liberties(theirs, mine)
        return taken != 0 or self.without_liberties(mine, theirs) == 0

    def both(self, state):
        """The stones of the player to move, and the other's."""
        if state.turn == pw.MAX:
            return state.black, state.white
        return state.white, state.black

    def without_liberties(self, stones, others):
        """Those stones of one colour whose groups touch no empty point: spread life from the empty points."""
        empty = ((1 << self.points) - 1) & ~(stones | others)
        alive = stones & self.spread(empty)
        before = 0
        while alive != before:
            before = alive
            alive |= stones & self.spread(alive)
        return stones & ~alive

    def spread(self, area):
        """The points beside an area."""
        found = 0
        for point in range(self.points):
            if area >> point & 1:
                found |= self.beside[point]
        return found

    def play(self, state, move):
        if move == self.points:
            return Stones(state.black, state.white, -1, state.passes + 1, state.left - 1, 1 - state.turn)
        mine, theirs = self.both(state)
        mine |= 1 << move
        taken = self.without_liberties(theirs, mine)
        theirs &= ~taken
        ko = -1
        if count(taken) == 1 and self.spread(1 << move) & mine == 0 and self.spread(1 << move) & ~theirs == taken:
            ko = lowest(taken)
        if state.turn == pw.MAX:
            return Stones(mine, theirs, ko, 0, state.left - 1, pw.MIN)
        return Stones(theirs, mine, ko, 0, state.left - 1, pw.MAX)

    def is_terminal(self, state):
        return state.passes == 2 or state.left == 0

    def score(self, state):
        return self.area(state.black, state.white) - self.area(state.white, state.black) - self.komi

    def evaluate(self, state):
        return count(state.black) - count(state.white) - self.komi

    def bounds(self, state):
        return -self.points - self.komi, self.points - self.komi

    def area(self, mine, theirs):
        """A colour's stones, and the empty points from which one reaches only that colour."""
        empty = ((1 << self.points) - 1) & ~(mine | theirs)
        open_to_theirs = empty & self.spread(theirs)
        open_to_mine = empty & self.spread(mine)
        for _ in range(self.points):
            open_to_theirs |= empty & self.spread(open_to_theirs)
            open_to_mine |= empty & self.spread(open_to_mine)
        return count(mine) + count(open_to_mine & ~open_to_theirs)

    def format_move(self, state, move):
        if move == self.points:
            return "pass"
        return "abcdefghjklmnopqrst"[move % self.width] + str(move // self.width + 1)

    def board(self, state):
        lines = []
        for row in reversed(range(self.height)):
            line = str(row + 1)
            for column in range(self.width):
                point = row * self.width + column
                line += " " + ("X" if state.black >> point & 1 else "O" if state.white >> point & 1 else ".")
            lines.append(line)
        lines.append("  " + " ".join("abcdefghjklmnopqrst"[: self.width]))
        return "\n".join(lines)

    def player_name(self, player):
        return ["Black", "White"][player]


def count(bits):
    """How many bits are set."""
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found


def lowest(bits):
    """The number of the lowest bit that is set."""
    number = 0
    while not bits >> number & 1:
        number += 1
    return number
