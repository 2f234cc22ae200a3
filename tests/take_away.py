"""Take-away, a minimal game, for tests that change one part of it."""

from __future__ import annotations

from typing import NamedTuple

import plywise as pw


class Pile(NamedTuple):
    left: int
    turn: int


class TakeAway(pw.Game):
    """Take one, two or three; the player who takes the last one wins."""

    size: int = 9

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


class Right(TakeAway):
    """The same, small enough to check every position.  Each of ``wrong_games`` changes one part of it."""

    size: int = 5
