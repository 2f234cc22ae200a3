"""Random games as graphs, with cycles and with dice, and plain oracles that share nothing with the tables."""

from __future__ import annotations

import itertools
import math
import random
from typing import NamedTuple

import numpy as np

import plywise as pw


class Place(NamedTuple):
    node: int


class Walk(pw.Chance, pw.Recurrence, pw.Game):
    """Walk along the arrows of a graph until one of its ends."""

    movers: np.ndarray
    """Who moves at each node: 0, 1, chance (-1), or 2 for nobody."""
    starts: np.ndarray
    after: np.ndarray
    chances: np.ndarray
    scores_at: np.ndarray
    rests: np.ndarray
    """What a walk without end is worth, by node."""

    def initial(self):
        return Place(0)

    def to_move(self, state):
        return self.movers[state.node]

    def moves(self, state):
        for edge in range(self.starts[state.node], self.starts[state.node + 1]):
            yield edge

    def play(self, state, move):
        return Place(self.after[move])

    def is_terminal(self, state):
        return self.movers[state.node] == 2

    def score(self, state):
        return self.scores_at[state.node]

    def probability(self, state, move):
        return self.chances[move]

    def repetition(self, state):
        return self.rests[state.node]


def random_walk(seed: int, nodes: int, dice: bool, scores: int = 3, rest: float = 0.0, forward: float = 0.3) -> Walk:
    """A random graph: a quarter of the nodes are ends; ``forward`` is the share of arrows that cannot lead back."""
    chance = random.Random(seed)
    players, starts, after, chances, ends = [], [0], [], [], []
    for node in range(nodes):
        over = (node and chance.random() < 0.25) or node == nodes - 1
        players.append(2 if over else chance.choice((0, 1, -1) if dice else (0, 1)))
        count = 0 if over else chance.randint(1, 3)
        for _ in range(count):
            after.append(chance.randrange(node + 1, nodes) if chance.random() < forward else chance.randrange(nodes))
        weights = [chance.randint(1, 4) for _ in range(count)]
        chances += [weight / sum(weights) for weight in weights]
        starts.append(len(after))
        ends.append(float(chance.randint(-scores, scores)) if over else 0.0)
    return Walk(
        np.array(players), np.array(starts), np.array(after), np.array(chances), np.array(ends), np.full(nodes, rest)
    )


def successors(game: Walk, node: int) -> list[int]:
    return game.after[game.starts[node] : game.starts[node + 1]].tolist()


def reachable(game: Walk) -> set[int]:
    found, waiting = {0}, [0]
    while waiting:
        for node in successors(game, waiting.pop()):
            if node not in found:
                found.add(node)
                waiting.append(node)
    return found


def forced_values(game: Walk, rest: float) -> dict[int, float]:
    """Without dice: the highest score that Max can force, or the lowest that Min can, else the rest.

    For each score above the rest, the set of nodes from which Max can force it grows from the ends backwards; likewise
    for Min below it.
    """
    nodes = reachable(game)
    ends = {node: float(game.scores_at[node]) for node in nodes if game.movers[node] == 2}
    values = dict.fromkeys(nodes, rest)
    for player, better in ((0, lambda a, b: a >= b), (1, lambda a, b: a <= b)):
        goals = sorted(
            {score for score in ends.values() if score != rest and better(score, rest)}, key=lambda s: abs(s - rest)
        )
        for goal in goals:
            forced = {node for node, score in ends.items() if better(score, goal)}
            while True:
                more = {
                    node for node in nodes - forced - ends.keys()
                    if (any if game.movers[node] == player else all)(n in forced for n in successors(game, node))
                }  # fmt: skip
                if not more:
                    break
                forced |= more
            values.update(dict.fromkeys(forced, goal))
    return {node: ends.get(node, value) for node, value in values.items()}


def stationary_values(game: Walk, rest: float) -> dict[int, float]:
    """With dice: try all pairs of stationary strategies.  Such games have a value in these (Gillette 1957; Liggett and
    Lippman 1969).
    """
    nodes = sorted(reachable(game))
    choices = [
        [list(pick) for pick in itertools.product(*(successors(game, n) for n in nodes if game.movers[n] == player))]
        for player in (0, 1)
    ]
    owned = [[n for n in nodes if game.movers[n] == player] for player in (0, 1)]
    both = owned[0] + owned[1]
    outcomes = np.array([
        [followed(game, nodes, dict(zip(both, mine + theirs, strict=True)), rest) for theirs in choices[1]]
        for mine in choices[0]
    ])  # fmt: skip
    best = outcomes.min(axis=1).max(axis=0)
    assert np.allclose(best, outcomes.max(axis=0).min(axis=0), atol=1e-9), "there is a value"
    return dict(zip(nodes, best.tolist(), strict=True))


def followed(game: Walk, nodes: list[int], choice: dict[int, int], rest: float) -> list[float]:
    """What each node is worth if both follow their strategies: a Markov chain, solved as a linear system."""
    place = {node: i for i, node in enumerate(nodes)}
    matrix = np.zeros((len(nodes), len(nodes)))
    for node in nodes:
        if game.movers[node] == -1:
            for edge in range(game.starts[node], game.starts[node + 1]):
                matrix[place[node], place[int(game.after[edge])]] += game.chances[edge]
        elif node in choice:
            matrix[place[node], place[choice[node]]] = 1
    ends = np.array([game.movers[node] == 2 for node in nodes])
    may_end = ends.copy()
    for _ in nodes:
        may_end |= matrix @ may_end > 0
    worth = np.array([game.scores_at[node] if over else rest for node, over in zip(nodes, ends, strict=True)])
    inner = may_end & ~ends
    worth[inner] = np.linalg.solve(
        np.eye(int(inner.sum())) - matrix[np.ix_(inner, inner)], matrix[np.ix_(inner, ~inner)] @ worth[~inner]
    )
    return worth.tolist()


def number_of_strategies(game: Walk) -> int:
    return math.prod(len(successors(game, n)) for n in reachable(game) if game.movers[n] in (0, 1))
