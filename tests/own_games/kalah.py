"""Kalah: sow the stones of a pit; the last stone in your own store earns another move."""

from functools import cached_property
from typing import NamedTuple

import plywise as pw
from plywise.bits import with_item


class Kalaha(NamedTuple):
    pits: tuple  # Max's pits and store, then Min's pits and store
    turn: int


class Kalah(pw.Game):
    """Kalah with few pits. A last stone in an own empty pit takes those opposite; at the end each keeps the rest."""

    pits: int = 3
    stones: int = 2

    @cached_property
    def full(self):
        side = (self.stones,) * self.pits + (0,)
        return side + side

    def initial(self):
        return Kalaha(self.full, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if not self.is_terminal(state):
            for pit in range(self.pits):
                if state.pits[self.first(state.turn) + pit] > 0:
                    yield pit

    def play(self, state, move):
        player = state.turn
        holes = 2 * self.pits + 2
        own_store = self.store(player)
        hole = self.first(player) + move
        pits = state.pits
        hand = pits[hole]
        pits = with_item(pits, hole, 0)
        while hand > 0:
            hole = (hole + 1) % holes
            if hole != self.store(1 - player):
                pits = with_item(pits, hole, pits[hole] + 1)
                hand -= 1
        if hole == own_store:
            return Kalaha(pits, player)
        if pits[hole] == 1 and self.first(player) <= hole < own_store:
            opposite = 2 * self.pits - hole
            if pits[opposite] > 0:
                pits = with_item(pits, own_store, pits[own_store] + pits[opposite] + 1)
                pits = with_item(pits, opposite, 0)
                pits = with_item(pits, hole, 0)
        return Kalaha(pits, 1 - player)

    def is_terminal(self, state):
        return self.in_pits(state, pw.MAX) == 0 or self.in_pits(state, pw.MIN) == 0

    def score(self, state):
        return self.evaluate(state) + self.in_pits(state, pw.MAX) - self.in_pits(state, pw.MIN)

    def evaluate(self, state):
        return state.pits[self.store(pw.MAX)] - state.pits[self.store(pw.MIN)]

    def bounds(self, state):
        left = self.in_pits(state, pw.MAX) + self.in_pits(state, pw.MIN)
        return self.evaluate(state) - left, self.evaluate(state) + left

    def first(self, player):
        return player * (self.pits + 1)

    def store(self, player):
        return player * (self.pits + 1) + self.pits

    def in_pits(self, state, player):
        total = 0
        for pit in range(self.pits):
            total += state.pits[self.first(player) + pit]
        return total

    def format_move(self, state, move):
        return str(move + 1)

    def board(self, state):
        upper = state.pits[self.pits + 1 : 2 * self.pits + 1]
        lower = state.pits[: self.pits]
        middle = "    " * self.pits
        return "\n".join(
            [
                "    " + "".join(f"{stones:4}" for stones in reversed(upper)),
                f"{state.pits[self.store(pw.MIN)]:4}{middle}{state.pits[self.store(pw.MAX)]:4}",
                "    " + "".join(f"{stones:4}" for stones in lower),
            ]
        )
