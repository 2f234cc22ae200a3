"""The tree that Monte Carlo tree search grows: what it saw below each position, and what is proven about it.

A node of chance is worth the average of its outcomes.  Its bounds are the averages of their bounds, so it is proven
only if all outcomes are.  A round draws one of the outcomes that are not proven, by their probabilities; the proven
ones count with their values.  So the mean of all rounds tends to the expected score, and no round is spent on what is
known.  In games without chance, ``dice`` is a constant False of the machine code, and all of this costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from plywise.algorithms.common import infinity
from plywise.algorithms.watch import Tally
from plywise.bits import shift_left, shift_right, signed
from plywise.compiling.native import Native
from plywise.compiling.scores import number_kind
from plywise.errors import GameError
from plywise.game import MAX, Game, Move, Number, State
from plywise.layers import CHANCE, Chance

ROOT = 0
NOBODY = -1
"""The parent of the root, and the result of ``select`` if no child matters."""

PARENT, FIRST, COUNT, PLAYER = range(4)
"""Columns of ``MonteCarloTree.links``.  Children are adjacent: COUNT of them, starting at FIRST; a leaf has none."""
LOWER, UPPER = range(2)
"""Columns of ``MonteCarloTree.bounds``."""
LOWEST, HIGHEST, EXPLORATION = range(3)
"""Places in ``MonteCarloTree.scale``: the range of the scores seen so far, and the weight of exploration."""
USED, FULL = range(2)
"""Places in ``MonteCarloTree.size``: the number of nodes, and whether the tree ran out of room."""

NO_MOVES = "there are no moves in a position that is not terminal: run 'plywise check' to find it"
OBJECT_BYTES = 40
"""The memory of a move or score that is a Python object, with the reference to it."""


class MonteCarloTree(Native):
    """The nodes of the tree, one row each.  All values are for MAX."""

    links: np.ndarray
    move: np.ndarray
    """The move that leads to a node."""
    visits: np.ndarray
    """The number of rounds through a node."""
    total: np.ndarray
    """The sum of the values of these rounds."""
    bounds: np.ndarray
    """Proven bounds of the minimax value; numbers of the game's own type, because they are exact."""
    size: np.ndarray
    scale: np.ndarray
    random: np.ndarray
    """The state of the random generator."""
    probability: np.ndarray
    """The probability of a node that is an outcome of chance; one row without a meaning if there is no chance."""
    dice: bool
    """Whether the game has chance."""

    def add(self, game: Game, state: State, node: int, parent: int, move: Move) -> None:
        """Write a leaf for ``state`` into row ``node``."""
        self.links[node, PARENT] = parent
        self.links[node, COUNT] = 0
        self.move[node] = move
        self.visits[node] = 0
        self.total[node] = 0.0
        if game.is_terminal(state):
            score = game.score(state)
            self.bounds[node, LOWER] = score
            self.bounds[node, UPPER] = score
        else:
            low, high = game.bounds(state)
            self.bounds[node, LOWER] = max(low, -infinity(game))
            self.bounds[node, UPPER] = min(high, infinity(game))

    def expand(self, game: Game, state: State, node: int, watch: Tally) -> bool:
        """Add the children of a leaf and propagate their bounds.  Return False if there is no room."""
        first = child = self.size[USED]
        for move in game.moves(state):
            if child == len(self.move):
                self.size[FULL] = 1
                return False
            watch.enter(state, 0, 0, 0)
            self.add(game, game.play(state, move), child, node, move)
            if self.dice and game.to_move(state) == CHANCE:
                self.probability[child] = game.probability(state, move)
            child += 1
        if child == first:
            raise GameError(NO_MOVES)
        self.size[USED] = child
        self.links[node, FIRST] = first
        self.links[node, PLAYER] = game.to_move(state)
        self.links[node, COUNT] = child - first  # last: if interrupted earlier, it is still a leaf
        self.tighten(node)
        return True

    def by_chance(self, node: int) -> bool:
        """Return whether chance moves at ``node``, which has children."""
        return self.dice and self.links[node, PLAYER] == CHANCE

    def tighten(self, node: int) -> None:
        """Tighten the bounds of ``node`` by its children's, and go on upwards while something changes."""
        while node != NOBODY:
            changed = self.by_outcomes(node) if self.by_chance(node) else self.by_moves(node)
            if not changed:
                break
            node = self.links[node, PARENT]

    def by_moves(self, node: int) -> bool:
        """Tighten the bounds of a node where a player moves.  Return whether something changed."""
        first, end = self.links[node, FIRST], self.links[node, FIRST] + self.links[node, COUNT]
        low, high = self.bounds[first, LOWER], self.bounds[first, UPPER]
        for child in range(first + 1, end):
            if self.links[node, PLAYER] == MAX:
                low, high = max(low, self.bounds[child, LOWER]), max(high, self.bounds[child, UPPER])
            else:
                low, high = min(low, self.bounds[child, LOWER]), min(high, self.bounds[child, UPPER])
        return self.narrow(node, low, high)

    def by_outcomes(self, node: int) -> bool:
        """Tighten the bounds of a node of chance: they are averages.  Return whether something changed."""
        low, high = 0.0, 0.0
        for child in range(self.links[node, FIRST], self.links[node, FIRST] + self.links[node, COUNT]):
            low += self.probability[child] * self.bounds[child, LOWER]
            high += self.probability[child] * self.bounds[child, UPPER]
        return self.narrow(node, low, high)

    def narrow(self, node: int, low: Number, high: Number) -> bool:
        """Tighten the bounds of a node to these, where they are tighter.  Return whether something changed."""
        if low <= self.bounds[node, LOWER] and high >= self.bounds[node, UPPER]:
            return False
        self.bounds[node, LOWER] = max(low, self.bounds[node, LOWER])
        self.bounds[node, UPPER] = min(high, self.bounds[node, UPPER])
        return True

    def roll(self, node: int) -> int:
        """Return one of the outcomes that are not settled, drawn by their probabilities; NOBODY if all are."""
        first, end = self.links[node, FIRST], self.links[node, FIRST] + self.links[node, COUNT]
        left = 0.0
        for child in range(first, end):
            if not self.settled(child):
                left += self.probability[child]
        luck = scrambled(int(self.random[0]))
        self.random[0] = luck
        left *= fraction(luck)
        chosen = NOBODY
        for child in range(first, end):
            if not self.settled(child):
                chosen = child
                left -= self.probability[child]
                if left < 0:
                    break
        return chosen

    def select(self, node: int, alpha: Number, beta: Number) -> int:
        """Return the child to explore (by UCB1, Auer and others 2002) among those that matter, or NOBODY.

        A child matters if it is not settled and its value may lie within (alpha, beta).  Chance draws a child instead.
        """
        if self.by_chance(node):
            return self.roll(node)
        best, highest = NOBODY, 0.0
        width = self.scale[HIGHEST] - self.scale[LOWEST]
        curiosity = math.log(self.visits[node] + 1)
        for child in range(self.links[node, FIRST], self.links[node, FIRST] + self.links[node, COUNT]):
            low, high = self.bounds[child, LOWER], self.bounds[child, UPPER]
            if low >= high or low >= beta or high <= alpha:
                continue
            if self.visits[child] == 0:
                return child
            above = self.estimate(child) - self.scale[LOWEST]
            share = above if self.links[node, PLAYER] == MAX else width - above
            urgency = self.scale[EXPLORATION] * math.sqrt(curiosity / self.visits[child])
            if width > 0:
                urgency += share / width
            if best == NOBODY or urgency > highest:
                best, highest = child, urgency
        return best

    def estimate(self, node: int) -> float:
        """Return the mean of the rounds through a visited node, clipped to its proven bounds."""
        return self.within(node, self.total[node] / self.visits[node])

    def within(self, node: int, value: float) -> float:
        """Return ``value``, clipped to the proven bounds of ``node``."""
        return min(max(value, float(self.bounds[node, LOWER])), float(self.bounds[node, UPPER]))

    def learn(self, node: int, value: float) -> None:
        """Count a round that ended at ``node`` with ``value``, there and at every node above.

        On the way up, the value is clipped to each node's bounds: a player with a proven alternative would take it.
        With chance, only what is proven replaces the value of a round: bounds are for averages, and rounds vary.
        """
        self.scale[LOWEST] = min(self.scale[LOWEST], value)
        self.scale[HIGHEST] = max(self.scale[HIGHEST], value)
        while node != NOBODY:
            if not self.dice or self.settled(node):
                value = self.within(node, value)
            self.visits[node] += 1
            self.total[node] += value
            parent = self.links[node, PARENT]
            if parent != NOBODY and self.by_chance(parent):
                value = self.average(parent, node, value)
            node = parent

    def average(self, node: int, drawn: int, value: float) -> float:
        """Return what a round says of a node of chance: it drew one outcome, with ``value``, from those not settled."""
        total, left = 0.0, 0.0
        for child in range(self.links[node, FIRST], self.links[node, FIRST] + self.links[node, COUNT]):
            if child != drawn and self.settled(child):
                total += self.probability[child] * float(self.bounds[child, LOWER])
            else:
                left += self.probability[child]
        return total + left * value

    def settled(self, node: int) -> bool:
        """Return whether the value of ``node`` is proven."""
        return self.bounds[node, LOWER] >= self.bounds[node, UPPER]  # type: ignore[no-any-return]

    def finished(self, all_moves: bool) -> bool:
        """Return whether the root's value is proven; with ``all_moves``, also the value of every root move."""
        if all_moves:
            for child in range(self.links[ROOT, FIRST], self.links[ROOT, FIRST] + self.links[ROOT, COUNT]):
                if not self.settled(child):
                    return False
        return self.settled(ROOT)

    # From Python ----------------------------------------------------------------------------------------------------

    def children(self, node: int) -> range:
        first = int(self.links[node, FIRST])
        return range(first, first + int(self.links[node, COUNT]))

    def value(self, node: int) -> Any:
        """Return the proven value of ``node``, or an estimate; for a node never visited, the mean of all rounds."""
        if self.settled(node):
            return plain(self.bounds[node, LOWER])
        known = node if self.visits[node] else ROOT
        return float(self.within(node, self.total[known] / max(1, self.visits[known])))

    def best(self, node: int) -> int:
        """Return the child to play: the one that is most certain to be good.

        This is the "secure child" of Chaslot and others (2008), who found it as good as the most visited one: the child
        with the best estimate minus uncertainty.  Here proven bounds limit the uncertainty, so a proven best move is
        chosen.
        """
        maximising = self.links[node, PLAYER] == MAX
        width = max(0.0, self.scale[HIGHEST] - self.scale[LOWEST])
        curiosity = math.log(self.visits[node] + 1)

        def certainty(child: int) -> tuple[Any, ...]:
            visits = self.visits[child]
            doubt = self.scale[EXPLORATION] * width * math.sqrt(curiosity / visits) if visits else math.inf
            if maximising:
                return self.within(child, self.value(child) - doubt), self.bounds[child, LOWER], visits
            return -self.within(child, self.value(child) + doubt), -self.bounds[child, UPPER], visits

        return max(self.children(node), key=certainty)

    def best_line(self) -> Iterator[Move]:
        """Yield the moves of best play, while they are visited or proven, to where chance decides; the first move in
        any case.
        """
        node = ROOT
        while self.links[node, COUNT] and not self.by_chance(node):
            node = self.best(node)
            if node not in self.children(ROOT) and not self.visits[node] and not self.settled(node):
                return
            yield plain(self.move[node])


def new_tree(
    game: Game, compiled: bool, least: int, memory_mb: float = 0.0, seed: int = 0, exploration: float = 0.0
) -> MonteCarloTree:
    """Return an empty tree with room for as many nodes as fit into the memory, and at least for ``least``.

    In interpreted runs, moves and scores are Python objects.
    """
    number: Any = number_kind(game) if compiled else object
    move: Any = np.int64 if compiled else object
    dice = isinstance(game, Chance)
    row = 4 * 4 + (3 if dice else 2) * 8 + 3 * (8 if compiled else OBJECT_BYTES)
    places = max(least, min(int(memory_mb * (1 << 20) / row), np.iinfo(np.int32).max))
    luck = signed(int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])) or 1
    return MonteCarloTree(
        links=np.zeros((places, 4), dtype=np.int32),
        move=np.zeros(places, dtype=move),
        visits=np.zeros(places, dtype=np.int64),
        total=np.zeros(places, dtype=np.float64),
        bounds=np.zeros((places, 2), dtype=number),
        size=np.zeros(2, dtype=np.int64),
        scale=np.array([math.inf, -math.inf, exploration]),
        random=np.array([luck], dtype=np.int64),
        probability=np.zeros(places if dice else 1, dtype=np.float64),
        dice=dice,
    )


def scrambled(luck: int) -> int:
    """Return the random number after ``luck``, both 64 bits and not zero (xorshift, Marsaglia 2003)."""
    luck ^= shift_left(luck, 13)
    luck ^= shift_right(luck, 7)
    return luck ^ shift_left(luck, 17)


def fraction(luck: int) -> float:
    """Return a random number as a number from 0 to 1, without 1: 53 of its bits."""
    return shift_right(luck, 11) / (1 << 53)


def plain(item: Any) -> Any:
    """Return an item of an array as Python's own number."""
    return item.item() if isinstance(item, np.generic) else item
