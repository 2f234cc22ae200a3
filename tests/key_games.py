"""Small random games whose ``key`` is shared by different positions: both players to move, turned boards, or both.

A position is a node of a random graph, the player to move, and by how much the board is turned.  Scores are for the
player to move, so swapping the players swaps the score.  A turned board numbers its moves differently, so a move's
number usually belongs to another move there.  ``TakeAway`` is the smallest game whose key omits the player to move.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import plywise as pw
from tests import take_away

NOTHING, TURN, IMAGE, BOTH = (0, 0), (1, 0), (0, 1), (1, 1)
"""What a key leaves out: whose turn it is, how the board is turned."""

NODES, MOVES = 14, 3


class Spot(NamedTuple):
    node: int
    turn: int
    angle: int


class KeyGame(pw.Game):
    """Made by ``key_game``.  What differs is in arrays, so that all of them share their machine code."""

    after: np.ndarray
    """Nodes after a node, by move; -1: there is no such move."""
    again: np.ndarray
    """Whether the same player moves again."""
    turns: np.ndarray
    """By how much the board is turned: 0, 1 or 2."""
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
                yield (number + state.angle) % MOVES

    def play(self, state: Spot, move: int) -> Spot:
        number = (move - state.angle) % MOVES
        return Spot(
            int(self.after[state.node, number]),
            state.turn if self.again[state.node, number] else 1 - state.turn,
            (state.angle + int(self.turns[state.node, number])) % MOVES,
        )

    def is_terminal(self, state: Spot) -> bool:
        return bool(self.after[state.node, 0] < 0)

    def score(self, state: Spot) -> int:
        return (1 - 2 * state.turn) * int(self.worth[state.node])

    def evaluate(self, state: Spot) -> int:
        return (1 - 2 * state.turn) * int(self.worth[state.node])

    def key(self, state: Spot) -> int:
        turn = 0 if self.merges[0] else state.turn
        angle = 0 if self.merges[1] else state.angle
        return 6 * state.node + 3 * turn + angle


class ImageGame(pw.Symmetry, KeyGame):
    """One that says what a move is called on a board that is not turned; turning back is another turn."""

    key = KeyGame.key

    def image(self, state: Spot) -> Spot:
        return Spot(state.node, state.turn, 0)

    def move_in_image(self, state: Spot, move: int) -> int:
        return (move - state.angle) % MOVES

    def move_from_image(self, state: Spot, move: int) -> int:
        return (move + state.angle) % MOVES


class LoopGame(pw.Recurrence, KeyGame):
    """One in which positions recur; the player who repeats one loses a point."""

    def reversible(self, state: Spot) -> int:
        return 100

    def repetition(self, state: Spot) -> int:
        return -(1 - 2 * state.turn)


def key_game(seed: int, merges: tuple[int, int], loops: bool = False, images: bool = False) -> KeyGame:
    """Return a random game; with ``loops``, moves also lead back; with ``images``, it has ``Symmetry``."""
    chance = random.Random(seed)
    nodes = 7 if loops else NODES
    after = np.full((nodes, MOVES), -1, dtype=np.int64)
    for node in range(nodes - 3):  # the last ones are ends
        for move in range(chance.randint(1, MOVES)):
            first = 0 if loops and chance.random() < 0.5 else node + 1
            after[node, move] = chance.randint(first, min(nodes - 1, node + 4))

    def numbers(shares: tuple[float, ...]) -> np.ndarray:
        row = chance.choices(range(len(shares)), shares, k=after.size)
        return np.array(row, dtype=np.int64).reshape(after.shape)

    worth = np.array([chance.randint(-3, 3) for _ in range(nodes)], dtype=np.int64)
    kind = LoopGame if loops else ImageGame if images else KeyGame
    turns = numbers((1, 0, 0) if loops else (2, 1, 1))
    return kind(after, numbers((3, 1)), turns, worth, np.array(merges, dtype=np.int64))


class TakeAway(take_away.TakeAway):
    """Take-away whose key does not say whose turn it is."""

    size: int = 21

    def key(self, state):
        return state.left
