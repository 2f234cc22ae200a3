"""Small random games whose ``key`` is shared by different positions: both players to move, mirror images, or both.

A position is a node of a random graph, the player to move, and which of two mirror images it is.  Scores are for the
player to move, so swapping the players swaps the score.  A mirror image numbers its moves differently, so a move's
number usually belongs to another move there.  ``TakeAway`` is the smallest game whose key omits the player to move.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import plywise as pw
from tests import take_away

NOTHING, TURN, MIRROR, BOTH = (0, 0), (1, 0), (0, 1), (1, 1)
"""What a key leaves out: whose turn it is, which image it is."""

NODES, MOVES = 14, 3


class Spot(NamedTuple):
    node: int
    turn: int
    mirror: int


class KeyGame(pw.Game):
    """Made by ``key_game``.  What differs is in arrays, so that all of them share their machine code."""

    after: np.ndarray
    """Nodes after a node, by move; -1: there is no such move."""
    again: np.ndarray
    """Whether the same player moves again."""
    flips: np.ndarray
    """Whether the board is turned over."""
    worth: np.ndarray
    """Of a node, for the player to move: its score, or an estimate."""
    merges: np.ndarray
    """What the key leaves out."""

    def initial(self) -> Spot:
        return Spot(0, pw.MAX, 0)

    def to_move(self, state: Spot) -> int:
        return state.turn

    def moves(self, state: Spot) -> Iterator[int]:
        for number in range(MOVES):
            if self.after[state.node, number] >= 0:
                yield MOVES - number if state.mirror else number

    def play(self, state: Spot, move: int) -> Spot:
        number = MOVES - move if state.mirror else move
        return Spot(
            int(self.after[state.node, number]),
            state.turn if self.again[state.node, number] else 1 - state.turn,
            state.mirror ^ int(self.flips[state.node, number]),
        )

    def is_terminal(self, state: Spot) -> bool:
        return bool(self.after[state.node, 0] < 0)

    def score(self, state: Spot) -> int:
        return (1 - 2 * state.turn) * int(self.worth[state.node])

    def evaluate(self, state: Spot) -> int:
        return (1 - 2 * state.turn) * int(self.worth[state.node])

    def key(self, state: Spot) -> int:
        turn = 0 if self.merges[0] else state.turn
        mirror = 0 if self.merges[1] else state.mirror
        return 4 * state.node + 2 * turn + mirror


class LoopGame(pw.Recurrence, KeyGame):
    """One in which positions recur; the player who repeats one loses a point."""

    def reversible(self, state: Spot) -> int:
        return 100

    def repetition(self, state: Spot) -> int:
        return -(1 - 2 * state.turn)


def key_game(seed: int, merges: tuple[int, int], loops: bool = False) -> KeyGame:
    """Return a random game; with ``loops``, moves also lead back."""
    chance = random.Random(seed)
    nodes = 7 if loops else NODES
    after = np.full((nodes, MOVES), -1, dtype=np.int64)
    for node in range(nodes - 3):  # the last ones are ends
        for move in range(chance.randint(1, MOVES)):
            first = 0 if loops and chance.random() < 0.5 else node + 1
            after[node, move] = chance.randint(first, min(nodes - 1, node + 4))
    shape = after.shape

    def bits(share: float) -> np.ndarray:
        return np.array([[chance.random() < share for _ in range(shape[1])] for _ in range(shape[0])], dtype=np.int64)

    worth = np.array([chance.randint(-3, 3) for _ in range(nodes)], dtype=np.int64)
    kind = LoopGame if loops else KeyGame
    flips = np.zeros_like(after) if loops else bits(0.5)
    return kind(after, bits(0.25), flips, worth, np.array(merges, dtype=np.int64))


class TakeAway(take_away.TakeAway):
    """Take-away whose key does not say whose turn it is."""

    size: int = 21

    def key(self, state):
        return state.left
