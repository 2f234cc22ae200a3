"""Checkers, or English draughts: the rules."""

from __future__ import annotations

from collections.abc import Iterator

from plywise.game import Game
from plywise.games.checkers.board import ROW, Position
from plywise.games.checkers.moves import after, can_step, captures, count_steps, jumpers, steps
from plywise.layers import Counting, FastestWin, Recurrence, Tactics, View

WIN = 30_000
PLIES_WITHOUT_PROGRESS = 80

class Checkers(Tactics, Recurrence, FastestWin, Counting, View, Game):
    win_score = WIN
    repetitions = 3

    def initial(self) -> Position:
        return Position(ROW | ROW << 4 | ROW << 9, ROW << 22 | ROW << 27 | ROW << 31, 0, 0, 0)

    def to_move(self, state: Position) -> int:
        return state.turn

    def moves(self, state: Position) -> Iterator[int]:
        if state.clock < PLIES_WITHOUT_PROGRESS:
            if jumpers(state):
                for move in captures(state):
                    yield move
            else:
                for move in steps(state):
                    yield move

    def play(self, state: Position, move: int) -> Position:
        return after(state, move)

    def is_terminal(self, state: Position) -> bool:
        return state.clock >= PLIES_WITHOUT_PROGRESS or not self.has_move(state)

    def has_move(self, state: Position) -> bool:
        return can_step(state) or jumpers(state) != 0

    def score(self, state: Position) -> int:
        if self.has_move(state):
            return 0
        return WIN if state.turn else -WIN

    def count_moves(self, state: Position) -> int:
        if state.clock >= PLIES_WITHOUT_PROGRESS:
            return 0
        if jumpers(state) == 0:
            return count_steps(state)
        count = 0
        for _ in captures(state):
            count += 1
        return count
