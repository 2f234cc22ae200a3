"""The plain oracle that every search is compared with.  It shares only the rules of a game with plywise."""

from __future__ import annotations

import functools
import math
import operator
import random
from collections.abc import Callable
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from plywise.game import MAX, Game
from plywise.games import Tree
from plywise.layers import CHANCE


def value_of(game: Game, state: Any, depth: int | None = None) -> Any:
    """Minimax by its definition: the score at the end, else the best of the children for the player to move.

    Values are remembered, because many tests ask about the same positions; those of random trees are not.
    """
    if not isinstance(game, Tree):
        return _remembered(game, state, depth)
    return _minimax(game, state, depth, value_of)


@functools.cache
def _remembered(game: Game, state: Any, depth: int | None) -> Any:
    return _minimax(game, state, depth, _remembered)


def _minimax(game: Game, state: Any, depth: int | None, value_below: Callable[..., Any]) -> Any:
    if game.is_terminal(state):
        return game.score(state)
    if depth == 0:
        return game.evaluate(state)
    below = None if depth is None else depth - 1
    values = [value_below(game, game.play(state, move), below) for move in game.moves(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def expected_of(game: Game, state: Any, depth: int | None = None) -> float:
    """Expectiminimax by its definition, with the terms of an average added exactly."""
    if game.is_terminal(state):
        return float(game.score(state))
    if depth == 0:
        return float(game.evaluate(state))
    below = None if depth is None else depth - 1
    values = {move: expected_of(game, game.play(state, move), below) for move in game.moves(state)}
    if game.to_move(state) == CHANCE:
        return math.fsum(game.probability(state, move) * value for move, value in values.items())
    return max(values.values()) if game.to_move(state) == MAX else min(values.values())


def expected_scores_of(game: Game, state: Any) -> list[float]:
    """Expecti-max^n by its definition; of equal moves the first counts."""
    if game.is_terminal(state):
        return [float(score) for score in game.scores(state)]
    below = {move: expected_scores_of(game, game.play(state, move)) for move in game.moves(state)}
    player = game.to_move(state)
    if player != CHANCE:
        return max(below.values(), key=lambda scores: scores[player])
    chances = [game.probability(state, move) for move in below]
    return [math.fsum(map(operator.mul, chances, column)) for column in zip(*below.values(), strict=True)]


def scores_of(game: Game, state: Any) -> tuple[Any, ...]:
    """Max^n by its definition; of equal moves the first counts."""
    if game.is_terminal(state):
        return tuple(game.scores(state))
    player = game.to_move(state)
    return max((scores_of(game, game.play(state, move)) for move in game.moves(state)), key=lambda s: s[player])


def paranoid_of(game: Game, state: Any, player: int) -> Any:
    """The score of ``player`` if all others play against it: minimax by its definition."""
    if game.is_terminal(state):
        return game.scores(state)[player]
    below = [paranoid_of(game, game.play(state, move), player) for move in game.moves(state)]
    return max(below) if game.to_move(state) == player else min(below)


def best_reply_of(game: Game, state: Any, player: int, replied: bool = False) -> Any:
    """The same if, between two turns of ``player``, at most one opponent plays another move than its first."""
    if game.is_terminal(state):
        return game.scores(state)[player]
    moves = list(game.moves(state))
    if game.to_move(state) == player:
        return max(best_reply_of(game, game.play(state, move), player) for move in moves)
    if replied:
        return best_reply_of(game, game.play(state, moves[0]), player, True)
    kept = best_reply_of(game, game.play(state, moves[0]), player)
    return min([kept, *(best_reply_of(game, game.play(state, move), player, True) for move in moves[1:])])


def solution_of(game: Game, state: Any, known: dict[Any, Any]) -> Any:
    """Minimax or, for more than two players, max^n by its definition; ``known`` remembers positions, nothing is cut."""
    if state not in known:
        if game.is_terminal(state):
            known[state] = tuple(game.scores(state))
        else:
            player = game.to_move(state)
            below = [solution_of(game, game.play(state, move), known) for move in game.moves(state)]
            known[state] = max(below, key=lambda scores: scores[player])
    return known[state]


def end_of(game: Game, state: Any, line: Any) -> Any:
    """Play a line; each of its moves must be legal."""
    for move in line:
        assert not game.is_terminal(state)
        assert move in list(game.moves(state))
        state = game.play(state, move)
    return state


@functools.cache
def random_position(game: Game, seed: int, most_nodes: int = 2000) -> Any:
    """The earliest position of a random game whose tree has at most ``most_nodes`` nodes; it is not terminal."""
    chance, found = random.Random(seed), None
    while found is None:
        states = [game.initial()]
        while not game.is_terminal(states[-1]):
            states.append(game.play(states[-1], chance.choice(list(game.moves(states[-1])))))
        for state in reversed(states[:-1]):  # the trees of earlier positions contain those of later ones
            if size_of(game, state, most_nodes) > most_nodes:
                break
            found = state
    return found


def size_of(game: Game, state: Any, most: int) -> int:
    """The number of nodes of the tree below and with ``state``; counting stops beyond ``most``."""
    count = 1
    if not game.is_terminal(state):
        for move in game.moves(state):
            if count > most:
                break
            count += size_of(game, game.play(state, move), most - count)
    return count


def trees(leaves: st.SearchStrategy[Any], players: tuple[Any, ...] = ("max", "min")) -> st.SearchStrategy[Any]:
    """Explicit trees in the form of ``Tree.from_json``: any shape, labels that need not alternate, some estimates."""
    estimates = {"value": leaves} if players == ("max", "min") else {}

    def grow(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.fixed_dictionaries(
            {"player": st.sampled_from(players), "children": st.lists(children, min_size=1, max_size=4)},
            optional=estimates,
        )

    return st.recursive(grow(leaves), grow, max_leaves=40)


FOR_EACH_ALGORITHM = settings(max_examples=30)
"""Enough random trees for each of many algorithms, if the code under test is the same for all of them."""


def trees_with_chance(leaves: st.SearchStrategy[Any], players: tuple[Any, ...] = ("max", "min")) -> Any:
    """As ``trees``, with nodes of chance, equally likely or not."""
    estimates = {"value": leaves} if players == ("max", "min") else {}

    def grow(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        several = st.lists(children, min_size=1, max_size=4)
        mover = st.sampled_from((*players, "chance", "chance"))
        node = st.fixed_dictionaries({"player": mover, "children": several}, optional=estimates)
        return st.builds(_weighted, node, st.one_of(st.none(), st.lists(st.integers(1, 9), min_size=4, max_size=4)))

    return st.recursive(grow(leaves), grow, max_leaves=40)


def _weighted(node: dict[str, Any], weights: list[int] | None) -> dict[str, Any]:
    if weights is None or node["player"] != "chance":
        return node
    used = weights[: len(node["children"])]
    return {**node, "probabilities": [weight / sum(used) for weight in used]}


def random_tree_with_chance(seed: int) -> dict[str, Any]:
    """A tree of any shape with some nodes of chance: up to six levels, whole or real scores, many or few ties."""
    chance = random.Random(seed)
    leaf = chance.choice([lambda: chance.randint(-3, 3), lambda: chance.uniform(-9, 9), lambda: chance.choice([-1, 1])])

    def grow(level: int) -> Any:
        return leaf() if level == 0 or chance.random() < 0.2 else node(level)

    def node(level: int) -> dict[str, Any]:
        made: dict[str, Any] = {"player": chance.choice(["max", "min", "chance"])}
        made["children"] = [grow(level - 1) for _ in range(chance.randint(1, 4))]
        if chance.random() < 0.7:
            made = _weighted(made, [chance.randint(1, 9) for _ in range(4)])
        return made if chance.random() < 0.7 else {**made, "value": leaf()}

    return node(chance.randint(2, 6))


whole_leaves = st.integers(-4, 4)
"""Few values, so that there are many ties."""
real_leaves = st.one_of(st.sampled_from([-1.5, -0.5, 0.0, 0.5, 1.5]), st.floats(-1e6, 1e6))
