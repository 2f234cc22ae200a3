"""play changes the given pile instead of returning a new one."""

import plywise as pw
from tests.take_away import Right

RULE = "play-changes-state"


class Pile:
    def __init__(self, left, turn):
        self.left, self.turn = left, turn

    def __eq__(self, other):
        return (self.left, self.turn) == (other.left, other.turn)

    def __hash__(self):
        return hash((self.left, self.turn))


class PlayChangesState(Right):
    def initial(self):
        return Pile(self.size, pw.MAX)

    def play(self, state, move):
        state.left -= move
        return Pile(state.left, 1 - state.turn)

    def format(self, state):
        return f"{state.left} {state.turn}"

    def parse(self, text):
        try:
            return Pile(*map(int, text.split()))
        except (TypeError, ValueError):
            raise pw.PositionError(text) from None
