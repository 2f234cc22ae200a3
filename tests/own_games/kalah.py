"""Kalah: sow the stones of a pit; the last stone in your own store earns another move."""

from functools import cached_property
from typing import NamedTuple

import plywise as pw
from plywise.bits import with_item


class Kalaha(NamedTuple):
    pits: tuple  # Max's pits and store, then Min's pits and store
    turn: int


class Kalah(pw.View, pw.Game):
    """Kalah with few pits. A last stone in an own empty pit takes those opposite; at the end each keeps the rest."""

    title = "Little Kalah"
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

    def player_name(self, player):
        return ("South", "North")[player]

    @cached_property
    def layout(self):
        return pw.Pits(self.pits, 2, stores=True)

    def piece_at(self, state, place):
        """North's pits are above, from right to left; South's are below; then come the stores of North and South."""
        if place < self.pits:
            return state.pits[2 * self.pits - place]
        if place < 2 * self.pits:
            return state.pits[place - self.pits]
        return state.pits[self.store(pw.MIN if place == 2 * self.pits else pw.MAX)]

    def places(self, state, move):
        return (self.pits + move if state.turn == pw.MAX else self.pits - 1 - move), -1

    def score_text(self, score):
        if score == 0:
            return "equal"
        return f"{self.player_name(0 if score > 0 else 1)} by {stones(abs(score))}"

    def ending(self, state):
        return stones(abs(self.score(state))) if self.score(state) else ""


def stones(count):
    return f"{count} stone" if count == 1 else f"{count} stones"
