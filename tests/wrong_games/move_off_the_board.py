"""A move leads to a place off the board."""

from typing import NamedTuple

import plywise as pw

RULE = "places"


class Pile(NamedTuple):
    left: int
    turn: int


class MoveOffTheBoard(pw.View, pw.Game):
    pieces = (pw.Piece("x"),)
    size: int = 5
    layout = pw.Grid(5, 1)

    def initial(self):
        return Pile(self.size, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return range(1, min(3, state.left) + 1)

    def play(self, state, move):
        return Pile(state.left - move, 1 - state.turn)

    def is_terminal(self, state):
        return state.left == 0

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1

    def piece_at(self, state, place):
        return 1 if place < state.left else 0

    def places(self, state, move):
        return state.left, state.left - move
