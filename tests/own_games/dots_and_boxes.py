"""Dots and Boxes: draw a line between two dots; a player who completes a box owns it and draws again."""

from functools import cached_property
from typing import NamedTuple

import plywise as pw


class Lines(NamedTuple):
    drawn: int  # bit n: line n is there
    lead: int  # Max's boxes less Min's
    turn: int


class DotsAndBoxes(pw.Game):
    """Dots and Boxes on a small sheet. The lines are numbered row by row: first all that lie, then all that stand."""

    columns: int = 2
    rows: int = 2

    @cached_property
    def lines(self):
        return self.columns * (self.rows + 1) + self.rows * (self.columns + 1)

    @cached_property
    def boxes(self):
        """The four lines of every box, as bits."""
        standing = self.columns * (self.rows + 1)
        boxes = []
        for row in range(self.rows):
            for column in range(self.columns):
                top = row * self.columns + column
                left = standing + row * (self.columns + 1) + column
                boxes.append(1 << top | 1 << (top + self.columns) | 1 << left | 1 << (left + 1))
        return tuple(boxes)

    def initial(self):
        return Lines(0, 0, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for line in range(self.lines):
            if not state.drawn & 1 << line:
                yield line

    def play(self, state, move):
        drawn = state.drawn | 1 << move
        closed = 0
        for box in self.boxes:
            if box & 1 << move and box & drawn == box:
                closed += 1
        if closed == 0:
            return Lines(drawn, state.lead, 1 - state.turn)
        if state.turn == pw.MAX:
            return Lines(drawn, state.lead + closed, state.turn)
        return Lines(drawn, state.lead - closed, state.turn)

    def is_terminal(self, state):
        return state.drawn == (1 << self.lines) - 1

    def score(self, state):
        return state.lead

    def evaluate(self, state):
        return state.lead

    def bounds(self, state):
        free = self.free(state)
        return state.lead - free, state.lead + free

    def free(self, state):
        """How many boxes have no owner yet."""
        free = 0
        for box in self.boxes:
            if box & state.drawn != box:
                free += 1
        return free

    def board(self, state):
        standing = self.columns * (self.rows + 1)
        text = ""
        for row in range(self.rows + 1):
            for column in range(self.columns):
                text += "+--" if state.drawn >> (row * self.columns + column) & 1 else "+  "
            text += "+\n"
            if row < self.rows:
                for column in range(self.columns + 1):
                    text += "|  " if state.drawn >> (standing + row * (self.columns + 1) + column) & 1 else "   "
                text = text.rstrip() + "\n"
        return text + f"Max leads by {state.lead}"
