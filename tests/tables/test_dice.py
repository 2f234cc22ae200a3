"""A game whose dice make cycles: Pig."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import plywise as pw


class Turn(NamedTuple):
    mine: int
    """The points of the player to move."""
    theirs: int
    gathered: int
    """The points of this turn so far, lost with a 1."""
    player: int
    rolling: int


class LittlePig(pw.Chance, pw.Recurrence, pw.Game):
    """Roll as often as you like and hold; a 1 ends the turn without points.  Who has all points first wins."""

    goal: int = 100

    def initial(self):
        return Turn(0, 0, 0, pw.MAX, 0)

    def to_move(self, state):
        return pw.CHANCE if state.rolling else state.player

    def moves(self, state):
        for move in range(1, 7) if state.rolling else range(1 if state.gathered == 0 else 2):
            yield move

    def play(self, state, move):
        if not state.rolling:
            if move == 0:
                return state._replace(rolling=1)
            return Turn(state.theirs, state.mine + state.gathered, 0, 1 - state.player, 0)
        if move == 1:
            return Turn(state.theirs, state.mine, 0, 1 - state.player, 0)
        return state._replace(gathered=min(state.gathered + move, self.goal - state.mine), rolling=0)

    def probability(self, state, move):
        return 1 / 6

    def is_terminal(self, state):
        return state.theirs >= self.goal

    def score(self, state) -> float:
        return -1.0 if state.player == pw.MAX else 1.0


def chances_of_winning(goal: int) -> dict[tuple[int, int, int], float]:
    """The chance of the player to move, by plain value iteration (Neller and Presser 2004)."""
    won = {(i, j, k): 0.0 for i in range(goal) for j in range(goal) for k in range(goal - i)}

    def chance(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= goal else won[i, j, k]

    while True:
        change = 0.0
        for i, j, k in won:
            roll = (1 - chance(j, i, 0) + sum(chance(i, j, k + die) for die in range(2, 7))) / 6
            hold = 1 - chance(j, i + k, 0) if k else 0.0
            change, won[i, j, k] = max(change, abs(max(roll, hold) - won[i, j, k])), max(roll, hold)
        if change < 1e-14:
            return won


def test_values_are_those_of_plain_value_iteration():
    game, chances = LittlePig(12), chances_of_winning(12)
    table = pw.tabulate(game)
    assert table.method == "value iteration"
    checked = 0
    for state in table.positions():
        if not state.rolling and not game.is_terminal(state) and state.mine + state.gathered < 12:
            won = chances[state.mine, state.theirs, state.gathered]
            value = table[state].value if state.player == pw.MAX else -table[state].value
            assert value == pytest.approx(2 * won - 1, abs=1e-9), state
            checked += 1
    assert checked > 500
    assert table[game.initial()].distance is None
    assert table.search().expected


def test_the_tolerance_is_kept():
    game, exact = LittlePig(12), pw.tabulate(LittlePig(12))
    rough = pw.tabulate(game, tolerance=1e-3)
    errors = [abs(rough[state].value - exact[state].value) for state in exact.positions()]
    assert 1e-12 < max(errors) < 1e-3
