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
from plywise.compiling.atomic import add, add_real, observe, publish, store, swap_if
from plywise.compiling.native import WHOLE_INFINITY, Native, inlined
from plywise.compiling.scores import number_kind
from plywise.engine.trail import Trail
from plywise.errors import GameError
from plywise.game import MAX, Game, Move, Number, State
from plywise.layers import CHANCE, Chance, Playouts, Recurrence
from plywise.layers.playouts import NO_MOVES

ROOT = 0
NOBODY = -1
"""The parent of the root, and the result of ``select`` if no child matters."""

PARENT, FIRST, PLAYER = range(3)
"""Columns of ``MonteCarloTree.links``.  Children are adjacent, starting at FIRST."""
LOWER, UPPER = range(2)
"""Columns of ``MonteCarloTree.bounds``."""
GAMES, SUM = range(2)
"""Columns of ``MonteCarloTree.rave``: how many rounds made a move later on, and the sum of their rewards."""
WINS, WEIGHT = range(2)
"""Columns of ``MonteCarloTree.prior``."""
LOWEST, HIGHEST, EXPLORATION, EQUIVALENCE, PATIENCE = range(5)
"""Places in ``MonteCarloTree.scale``: the range of the rewards seen so far, the weight of exploration, the number of
rounds that tell as much of a move as any number of its RAVE rounds, and the rounds through a leaf before it grows.
"""
USED, END, FULL = range(3)
"""Places in ``MonteCarloTree.size``: the next free node of this thread, the end of its nodes, and whether the tree ran
out of room.
"""

PORTION = 1 << 14
"""The nodes that a thread takes at a time, if there are several."""
LOCKS = 1 << 10
"""Locks for nodes that grow, a power of two, if there are several threads; nodes share them."""
OBJECT_BYTES = 40
"""The memory of a move or score that is a Python object, with the reference to it."""


class MonteCarloTree(Native):
    """The nodes of the tree, one row each, shared by all threads.  All values are for MAX."""

    links: np.ndarray
    count: np.ndarray
    """The number of children; a leaf has none.  It is published when everything about them is written."""
    move: np.ndarray
    """The move that leads to a node."""
    visits: np.ndarray
    """The number of rounds through a node."""
    pending: np.ndarray
    """The number of rounds that went through a node and are not finished: until then they count as lost ("virtual
    loss", Chaslot, Winands and van den Herik 2008), so that threads spread out."""
    total: np.ndarray
    """The sum of the rewards of the finished rounds."""
    margin: np.ndarray
    """The sum of the scores of the finished rounds; one row without a meaning if the reward is the score."""
    bounds: np.ndarray
    """Proven bounds of the minimax value; numbers of the game's own type, because they are exact."""
    rave: np.ndarray
    prior: np.ndarray
    locks: np.ndarray
    pool: np.ndarray
    """The next node that no thread has taken."""
    size: np.ndarray
    """What the thread owns; not shared."""
    scale: np.ndarray
    probability: np.ndarray
    """The probability of a node that is an outcome of chance; one row without a meaning if there is no chance."""
    dice: bool
    """Whether the game has chance."""
    loops: bool
    """Whether positions can repeat."""
    informed: bool
    """Whether the game has ``Playouts``: then there are priors, RAVE, and rewards that differ from scores."""

    # Growing --------------------------------------------------------------------------------------------------------

    def write(self, game: Game, state: State, node: int, parent: int, move: Move) -> None:
        """Write a leaf for ``state`` into row ``node``."""
        self.links[node, PARENT] = parent
        self.count[node] = 0
        self.move[node] = move
        self.visits[node] = 0
        self.pending[node] = 0
        self.total[node] = 0.0
        if self.informed:
            self.margin[node] = 0.0
            self.rave[node, GAMES] = 0.0
            self.rave[node, SUM] = 0.0
        if game.is_terminal(state):
            self.settle(node, game.score(state))
        else:
            low, high = game.bounds(state)
            self.bounds[node, LOWER] = max(low, -infinity(game))
            self.bounds[node, UPPER] = min(high, infinity(game))

    def settle(self, node: int, value: Number) -> None:
        """Set both bounds of a node to its value."""
        self.bounds[node, LOWER] = value
        self.bounds[node, UPPER] = value

    def expand(self, game: Game, state: State, node: int, watch: Trail) -> bool:
        """Add the children of a leaf and propagate their bounds.  Return False if there is no room, or if another
        thread is adding them.

        A search that is stopped here leaves the lock closed; the tree is not searched any more then.
        """
        lock = node & len(self.locks) - 1
        if not swap_if(self.locks, lock, 0, 1):
            return False
        grown = True
        if self.size_of(node) == 0:
            count = self.add_children(game, state, node, watch)
            while count == 0 and self.take_nodes():
                count = self.add_children(game, state, node, watch)
            grown = count > 0
        store(self.locks, lock, 0)
        if grown:
            self.tighten(node)
        return grown

    def add_children(self, game: Game, state: State, node: int, watch: Trail) -> int:
        """Write the children of a leaf into the nodes of this thread, and return how many: 0 if there is no room."""
        first = child = self.size[USED]
        for move in game.moves(state):
            if child == self.size[END]:
                return 0
            watch.enter(state, 0, 0, 0)
            self.write(game, game.play(state, move), child, node, move)
            if self.dice and game.to_move(state) == CHANCE:
                self.probability[child] = game.probability(state, move)
            if self.informed:
                wins, weight = game.prior(state, move)
                self.prior[child, WINS] = wins
                self.prior[child, WEIGHT] = weight
            child += 1
        if child == first:
            raise GameError(NO_MOVES)
        self.size[USED] = child
        self.links[node, FIRST] = first
        self.links[node, PLAYER] = game.to_move(state)
        publish(self.count, node, child - first)  # until now it is a leaf, for other threads and if interrupted
        return child - first  # type: ignore[no-any-return]

    def take_nodes(self) -> bool:
        """Take the next nodes for this thread.  Return whether there were any."""
        first = add(self.pool, 0, PORTION)
        if first >= len(self.move):
            self.size[FULL] = 1
            return False
        self.size[USED] = first
        self.size[END] = min(first + PORTION, len(self.move))
        return True

    # What is proven -------------------------------------------------------------------------------------------------

    @inlined
    def size_of(self, node: int) -> int:
        """Return how many children a node has."""
        return observe(self.count, node)

    @inlined
    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.links[node, FIRST])
        return range(first, first + self.size_of(node))

    def by_chance(self, node: int) -> bool:
        """Return whether chance moves at ``node``, which has children."""
        return self.dice and self.links[node, PLAYER] == CHANCE

    def tighten(self, node: int) -> None:
        """Tighten the bounds of ``node`` by its children's, and go on upwards while something changes.

        If two threads do so at once, one may undo what the other did.  The bounds are then wider, but still hold, and
        ``uct`` tightens them again where it finds no child that matters.
        """
        while node != NOBODY:
            changed = self.by_outcomes(node) if self.by_chance(node) else self.by_moves(node)
            if not changed:
                break
            node = self.links[node, PARENT]

    def by_moves(self, node: int) -> bool:
        """Tighten the bounds of a node where a player moves.  Return whether something changed."""
        first = self.links[node, FIRST]
        low, high = self.bounds[first, LOWER], self.bounds[first, UPPER]
        for child in self.children(node):
            if self.links[node, PLAYER] == MAX:
                low, high = max(low, self.bounds[child, LOWER]), max(high, self.bounds[child, UPPER])
            else:
                low, high = min(low, self.bounds[child, LOWER]), min(high, self.bounds[child, UPPER])
        return self.narrow(node, low, high)

    def by_outcomes(self, node: int) -> bool:
        """Tighten the bounds of a node of chance: they are averages.  Return whether something changed."""
        low, high = 0.0, 0.0
        for child in self.children(node):
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

    def settled(self, node: int) -> bool:
        """Return whether the value of ``node`` is proven."""
        return self.bounds[node, LOWER] >= self.bounds[node, UPPER]  # type: ignore[no-any-return]

    def finished(self, all_moves: bool) -> bool:
        """Return whether the root's value is proven; with ``all_moves``, also the value of every root move."""
        if all_moves:
            for child in self.children(ROOT):
                if not self.settled(child):
                    return False
        return self.settled(ROOT)

    # Going down -----------------------------------------------------------------------------------------------------

    def roll(self, node: int, watch: Trail) -> int:
        """Return one of the outcomes that are not settled, drawn by their probabilities; NOBODY if all are."""
        left = 0.0
        for child in self.children(node):
            if not self.settled(child):
                left += self.probability[child]
        left *= watch.fraction()
        chosen = NOBODY
        for child in self.children(node):
            if not self.settled(child):
                chosen = child
                left -= self.probability[child]
                if left < 0:
                    break
        return chosen

    def select(self, game: Game, node: int, alpha: Number, beta: Number) -> int:
        """Return the child to explore: the most urgent one among those that matter, or NOBODY.

        A child matters if it is not settled and its value may lie within (alpha, beta).
        """
        best, highest = NOBODY, 0.0
        curiosity = math.log(self.visits[node] + 1)
        for child in self.children(node):
            low, high = self.bounds[child, LOWER], self.bounds[child, UPPER]
            if low >= high or low >= beta or high <= alpha:
                continue
            rounds = float(self.visits[child] + self.pending[child])
            if self.informed:
                rounds += self.prior[child, WEIGHT]
            if rounds == 0:
                return child
            promise = self.informed_promise(game, node, child) if self.informed else self.promise(game, node, child)
            urgency = promise + self.scale[EXPLORATION] * math.sqrt(curiosity / rounds)
            if best == NOBODY or urgency > highest:
                best, highest = child, urgency
        return best

    def promise(self, game: Game, node: int, child: int) -> float:
        """Return how good a child looks to the player at ``node``, from 0 to 1: the mean of its rounds, as in UCB1
        (Auer, Cesa-Bianchi and Fischer 2002).
        """
        visits, pending = self.visits[child], self.pending[child]
        return self.share(node, self.estimate(game, child)) * visits / (visits + pending) if visits else 0.0

    def informed_promise(self, game: Game, node: int, child: int) -> float:
        """Return the same from the child's rounds, its prior, and the rounds that made its move later on.

        The last count less, the more rounds of its own a child has (RAVE, Gelly and Silver 2011).
        """
        visits = self.visits[child]
        rounds = visits + self.pending[child] + self.prior[child, WEIGHT]
        wins = float(self.prior[child, WINS])
        if visits:
            wins += visits * self.share(node, self.estimate(game, child))
        promise = float(wins / rounds)
        later = float(self.rave[child, GAMES])
        if later and self.scale[EQUIVALENCE]:
            weight = later / (later + rounds + later * rounds / self.scale[EQUIVALENCE])
            promise += weight * (self.share(node, self.rave[child, SUM] / later) - promise)
        return promise

    def share(self, node: int, reward: float) -> float:
        """Return where a reward lies between the worst (0) and the best (1) one seen, for the player at ``node``."""
        width = self.scale[HIGHEST] - self.scale[LOWEST]
        if not width > 0:
            return 0.5
        above = reward - self.scale[LOWEST]
        return (above if self.links[node, PLAYER] == MAX else width - above) / width  # type: ignore[no-any-return]

    def estimate(self, game: Game, node: int) -> float:
        """Return the mean reward of the rounds through a visited node, clipped to its proven bounds."""
        return self.within(game, node, self.total[node] / self.visits[node])

    def within(self, game: Game, node: int, reward: float) -> float:
        """Return ``reward``, clipped to what the proven bounds of ``node`` allow.  Infinite bounds have no reward."""
        low, high = self.bounds[node, LOWER], self.bounds[node, UPPER]
        if low > -infinity(game):
            reward = max(reward, game.reward(low))
        if high < infinity(game):
            reward = min(reward, game.reward(high))
        return reward

    # Going up -------------------------------------------------------------------------------------------------------

    def learn(self, game: Game, node: int, score: float, watch: Trail) -> None:
        """Count a round that ended at ``node`` with ``score``, there and at every node above.

        On the way up, the reward is clipped to each node's bounds: a player with a proven alternative would take it.
        With chance, only what is proven replaces the reward of a round: bounds are for averages, and rounds vary.
        """
        reward = game.reward(score)
        self.scale[LOWEST] = min(self.scale[LOWEST], reward)
        self.scale[HIGHEST] = max(self.scale[HIGHEST], reward)
        while node != NOBODY:
            if not self.dice or self.settled(node):
                reward = self.within(game, node, reward)
            add(self.visits, node, 1)
            add_real(self.total, node, reward)
            if self.informed:
                add_real(self.margin, node, score)
            parent = self.links[node, PARENT]
            if parent != NOBODY:
                add(self.pending, node, -1)
                if self.by_chance(parent):
                    reward, score = self.average(game, parent, node, reward, score)
                elif self.informed:
                    watch.mark(self.links[parent, PLAYER], self.move[node])
                    self.credit(parent, reward, watch)
            node = parent

    def credit(self, node: int, reward: float, watch: Trail) -> None:
        """Count a round for every child whose move the player at ``node`` made, here or later."""
        player = self.links[node, PLAYER]
        for child in self.children(node):
            if watch.made(player, self.move[child]):
                self.rave[child, GAMES] += 1
                self.rave[child, SUM] += reward

    def average(self, game: Game, node: int, drawn: int, reward: float, score: float) -> tuple[float, float]:
        """Return the reward and the score of a node of chance in a round that drew one of the outcomes not settled."""
        rewards, scores, left = 0.0, 0.0, 0.0
        for child in self.children(node):
            if child != drawn and self.settled(child):
                rewards += self.probability[child] * game.reward(self.bounds[child, LOWER])
                scores += self.probability[child] * float(self.bounds[child, LOWER])
            else:
                left += self.probability[child]
        return rewards + left * reward, scores + left * score

    # From Python ----------------------------------------------------------------------------------------------------

    @property
    def infinite(self) -> float:
        """What stands for infinity in ``bounds``."""
        return WHOLE_INFINITY if self.bounds.dtype.kind == "i" else math.inf

    def value(self, node: int) -> Any:
        """Return the proven value of ``node``, or an estimate; for a node never visited, the mean of all rounds."""
        if self.settled(node):
            return plain(self.bounds[node, LOWER])
        known = node if self.visits[node] else ROOT
        mean = float((self.margin if self.informed else self.total)[known] / max(1, self.visits[known]))
        return min(max(mean, float(self.bounds[node, LOWER])), float(self.bounds[node, UPPER]))

    def best(self, game: Game, node: int) -> int:
        """Return the child to play: the one that is most certain to be good."""
        return self.most_visited(game, node) if self.informed else self.most_secure(node)

    def most_secure(self, node: int) -> int:
        """Return the "secure child" of Chaslot and others (2008), who found it as good as the most visited one: the
        child with the best estimate minus uncertainty.

        Here proven bounds limit the uncertainty, so a proven best move is chosen.
        """
        maximising = self.links[node, PLAYER] == MAX
        width = max(0.0, self.scale[HIGHEST] - self.scale[LOWEST])
        curiosity = math.log(self.visits[node] + 1)

        def certainty(child: int) -> tuple[Any, ...]:
            visits = self.visits[child]
            doubt = self.scale[EXPLORATION] * width * math.sqrt(curiosity / visits) if visits else math.inf
            low, high = (float(bound) for bound in self.bounds[child])
            if maximising:
                return min(max(self.value(child) - doubt, low), high), self.bounds[child, LOWER], visits
            return -min(max(self.value(child) + doubt, low), high), -self.bounds[child, UPPER], visits

        return max(self.children(node), key=certainty)

    def most_visited(self, game: Game, node: int) -> int:
        """Return the child with the most rounds, or a proven one with a reward at least as high.

        Priors and RAVE guide the rounds, so a child with few of them and a high mean was only lucky.
        """
        turn = 1 if self.links[node, PLAYER] == MAX else -1
        proven = [child for child in self.children(node) if self.settled(child)]
        open_ones = [child for child in self.children(node) if not self.settled(child)]
        popular = max(open_ones, key=lambda child: self.visits[child], default=None)
        safe = max(proven, key=lambda child: turn * self.bounds[child, LOWER], default=None)
        if popular is None or safe is None:
            return popular if safe is None else safe  # type: ignore[return-value]
        better = turn * self.mean_reward(game, safe) >= turn * self.mean_reward(game, popular)
        return safe if better or not self.visits[popular] else popular

    def mean_reward(self, game: Game, node: int) -> float:
        """Return the mean reward of the rounds through a node, within what is proven; without any, of all rounds."""
        known = node if self.visits[node] else ROOT
        mean = float(self.total[known]) / max(1, int(self.visits[known]))
        for bound, clip in zip(self.bounds[node].tolist(), (max, min), strict=True):
            if abs(bound) < self.infinite:
                mean = clip(mean, float(game.reward(bound)))
        return mean

    def best_line(self, game: Game, first: int | None = None) -> Iterator[Move]:
        """Yield the moves of best play, while they are visited or proven, to where chance decides; the first move in
        any case.

        Args:
            game: the game.
            first: the child of the root that the line begins with; default: the best one.
        """
        node = ROOT
        while self.size_of(node) and not self.by_chance(node):
            node = first if node == ROOT and first is not None else self.best(game, node)
            if node not in self.children(ROOT) and not self.visits[node] and not self.settled(node):
                return
            yield plain(self.move[node])

    def for_thread(self) -> MonteCarloTree:
        """Return the same tree for another thread, which takes its own nodes."""
        return self.with_arrays(size=np.zeros(3, dtype=np.int64))


def new_tree(
    game: Game, compiled: bool, least: int, memory_mb: float = 0.0, exploration: float = 0.0, rave: float = 0.0,
    patience: int = 1, threads: int = 1,
) -> MonteCarloTree:  # fmt: skip
    """Return an empty tree with room for as many nodes as fit into the memory, and at least for ``least``.

    In interpreted runs, moves and scores are Python objects.
    """
    number: Any = number_kind(game) if compiled else object
    move: Any = np.int64 if compiled else object
    dice, informed = isinstance(game, Chance), isinstance(game, Playouts)
    row = 3 * 4 + (5 if dice else 4) * 8 + (3 * 8 if informed else 0) + 3 * (8 if compiled else OBJECT_BYTES)
    places = max(least, min(int(memory_mb * (1 << 20) / row), np.iinfo(np.int32).max))
    own = places if threads == 1 else min(places, max(least, PORTION))
    known = places if informed else 1
    return MonteCarloTree(
        links=np.zeros((places, 3), dtype=np.int32),
        count=np.zeros(places, dtype=np.int64),
        move=np.zeros(places, dtype=move),
        visits=np.zeros(places, dtype=np.int64),
        pending=np.zeros(places, dtype=np.int64),
        total=np.zeros(places, dtype=np.float64),
        margin=np.zeros(known, dtype=np.float64),
        bounds=np.zeros((places, 2), dtype=number),
        rave=np.zeros((known, 2), dtype=np.float32),
        prior=np.zeros((known, 2), dtype=np.float32),
        locks=np.zeros(1 if threads == 1 else LOCKS, dtype=np.int64),
        pool=np.array([own], dtype=np.int64),
        size=np.array([0, own, 0], dtype=np.int64),
        scale=np.array([math.inf, -math.inf, exploration, rave, patience]),
        probability=np.zeros(places if dice else 1, dtype=np.float64),
        dice=dice,
        loops=isinstance(game, Recurrence),
        informed=informed,
    )


def plain(item: Any) -> Any:
    """Return an item of an array as Python's own number."""
    return item.item() if isinstance(item, np.generic) else item
