"""The coordinator in simulated time: whatever fails and however late messages come, the value is the sequential one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from plywise.cluster import simulation
from plywise.cluster.coordinator import Coordinator
from plywise.cluster.executor import Lost
from plywise.cluster.pieces import Node, Pieces
from plywise.cluster.simulation import Simulation, World, simulated_search, simulated_solve
from plywise.errors import Stopped
from plywise.game import MAX, MIN, Game

RUNS = 1000
PLIES = 7


class Place(NamedTuple):
    """A position of a random tree: a number that everything else follows from."""

    number: int
    left: int


class RandomTree(Game):
    """A tree whose players need not take turns, with moves that lead to the same position."""

    seed: int = 0

    def initial(self) -> Place:
        return Place(mixed(self.seed, 0), PLIES)

    def to_move(self, state: Place) -> int:
        return MAX if state.number % 8 < (7 if state.left % 2 else 1) else MIN

    def moves(self, state: Place) -> Iterator[int]:
        yield from range(2 + state.number // 8 % 3)

    def play(self, state: Place, move: int) -> Place:
        return Place(mixed(state.number, move) % 4000 + 4000 * state.left, state.left - 1)

    def is_terminal(self, state: Place) -> bool:
        return state.left == 0 or state.number // 24 % 12 == 0

    def score(self, state: Place) -> int:
        return state.number // 300 % 9 - 4

    def evaluate(self, state: Place) -> int:
        return state.number // 700 % 7 - 3

    def bounds(self, state: Place) -> tuple[int, int]:
        return -4, 4


def mixed(number: int, move: int) -> int:
    return (number * 6364136223846793005 + (move + 1) * 1442695040888963407 >> 13) % (1 << 40)


def minimax(game: RandomTree, state: Place, depth: int, known: dict[tuple[Place, int], int]) -> int:
    """Return the value for Max, looking ahead some plies."""
    if (state, depth) not in known:
        if game.is_terminal(state):
            known[state, depth] = game.score(state)
        elif depth == 0:
            known[state, depth] = game.evaluate(state)
        else:
            choose = max if game.to_move(state) == MAX else min
            values = [minimax(game, game.play(state, move), depth - 1, known) for move in game.moves(state)]
            known[state, depth] = choose(values)
    return known[state, depth]


def random_world(seed: int) -> World:
    """Return machines of any number and reliability; work takes as long as in real pieces, or less."""
    chance = random.Random(seed)
    return World(
        workers=chance.choice([1, 2, 3, 8, 40]), node_seconds=10 ** chance.uniform(-2, 0),
        delay=10 ** chance.uniform(-3, 0.5), notable=chance.choice([1, 4, 1000]),
        note_seconds=10 ** chance.uniform(-3, 0), deaths=chance.choice([0.0, 0.003, 0.01]), seed=seed,
    )  # fmt: skip


def solved(seed: int) -> tuple[int, int, Simulation]:
    """Return the simulated value of a random tree for Max, the depth of the search, and the simulation.

    Every other search goes to the end of the game, the others to some depth.
    """
    tree, chance = RandomTree(seed), random.Random(seed)
    if seed % 2:
        depth = chance.randint(PLIES - 2, PLIES)
        value, run = simulated_search(tree, tree.initial(), random_world(seed), depth)
    else:
        depth = PLIES
        value, run = simulated_solve(tree, tree.initial(), random_world(seed), guess=chance.randint(-4, 4))
    return value if tree.to_move(tree.initial()) == MAX else -value, depth, run


def runs(seeds: range) -> list[int]:
    """Return the seeds whose simulated value is wrong or infinite, without the few whose lead was lost three times."""
    wrong, lost = [], 0
    for seed in seeds:
        try:
            value, depth, _ = solved(seed)
        except Lost:
            lost += 1
            continue
        except OverflowError:
            wrong.append(seed)
            continue
        tree = RandomTree(seed)
        if value != minimax(tree, tree.initial(), depth, {}):
            wrong.append(seed)
    assert lost <= len(seeds) / 10
    return wrong


@pytest.mark.parametrize("part", range(8))
def test_the_value_is_that_of_minimax(part: int) -> None:
    assert runs(range(part * RUNS // 4, (part + 1) * RUNS // 4)) == []


def test_helpers_take_part_and_workers_die() -> None:
    retried = helped = 0
    for seed in range(60):
        try:
            _, _, run = solved(seed)
        except Lost:
            continue
        retried += run.retried
        helped += run.given > 1 + run.retried
    assert retried > 5
    assert helped > 20


def settled_by_any_child(tree: Pieces, node: Node, value: Any) -> list[Node]:
    """Take one refuted move for all of them."""
    node.value = value
    while (parent := node.parent) is not None and parent.value is None:
        parent.value = node.turn * node.value
        node = parent
    return []


def goals_that_ignore_who_moves(tree: Pieces, node: Node) -> None:
    """Ask after a move whether the opponent reaches the same goal, instead of more than its negative."""
    opened(tree, node)
    for child in node.children or ():
        child.goal = node.goal


opened = Pieces.open


@pytest.mark.parametrize(
    ("method", "faulty"), [("_settle", settled_by_any_child), ("open", goals_that_ignore_who_moves)]
)
def test_a_fault_in_the_coordinator_is_found(method: str, faulty: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pieces, method, faulty)
    for kind in range(2):
        assert len(runs(range(kind, 200, 2))) > 5


def test_a_depth_that_pieces_ignore_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(tree: Pieces, node: Node) -> None:
        opened(tree, node)
        for child in node.children or ():
            child.depth = node.depth

    monkeypatch.setattr(Pieces, "open", too_deep)
    assert len(runs(range(1, 200, 2))) > 5


def test_a_stopped_answer_is_never_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coordinator that took the bounds of stopped searches for answers would be found."""

    def hasty(desk: Any, game: Any, start: Any, path: Any, goal: Any, depth: Any) -> Any:
        try:
            return (yield from piece(desk, game, start, path, goal, depth))
        except Stopped:
            return goal, desk.nodes

    piece = simulation.simulated_piece
    monkeypatch.setattr(simulation, "simulated_piece", hasty)
    assert runs(range(100)) == []
    monkeypatch.setattr(simulation.Simulation, "cancel", cancel_but_listen)
    monkeypatch.setattr(Coordinator, "_give", give_without_forgetting)
    assert len(runs(range(0, 200, 2))) > 5  # solutions: a search to a depth would follow false answers for ever


def cancel_but_listen(executor: Any, job: Any) -> None:
    """Stop a job, but take its answer."""
    executor._cancel(job)


def give_without_forgetting(coordinator: Any) -> None:
    """Stop pieces at random although they are wanted."""
    for _, job in list(coordinator.running.values()):
        if coordinator.executor.chance.random() < 0.2:  # the simulation's own, which has a seed
            coordinator.executor.cancel(job)
    give(coordinator)


give = Coordinator._give


def test_with_more_workers_it_is_faster() -> None:
    def seconds(workers: int, seed: int) -> float:
        tree = RandomTree(seed)
        world = World(workers, 0.1, delay=0.001, notable=2, note_seconds=0.05)
        return simulated_solve(tree, tree.initial(), world)[1].now

    alone, together = (sum(seconds(workers, seed) for seed in range(8)) for workers in (1, 4))
    assert together < alone / 1.3
