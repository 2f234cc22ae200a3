"""Threads change no value: all searches are compared with the plain oracle, with any number of threads."""

from __future__ import annotations

import itertools
import random
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import plywise as pw
from plywise.algorithms import jamboree, parallel_minimax
from plywise.compiling.threads import _waiting
from plywise.engine import parallel
from plywise.engine.parallel import ready_to_solve
from plywise.engine.table import table_of
from plywise.engine.work import new_work
from plywise.errors import Stopped
from plywise.game import sign
from plywise.games import ConnectFour, Tree
from tests.oracle import random_position, value_of

SMALL = ConnectFour(5, 4)
THREADS = (1, 2, 3, 4)


@pytest.fixture(autouse=True)
def no_thread_stays_behind() -> Iterator[None]:
    before = busy_threads()
    yield
    assert busy_threads() == before


def busy_threads() -> int:
    """Return the number of threads that do not wait for a search."""
    return threading.active_count() - len(_waiting[0].tokens)


def random_tree(seed: int) -> Tree:
    """A tree with whole scores, some estimates, and players who need not take turns."""
    chance = random.Random(seed)

    def grow(left: int) -> Any:
        if left == 0 or chance.random() < 0.1:
            return chance.randint(-4, 4)
        children = [grow(left - 1) for _ in range(chance.randint(1, 4))]
        return {"player": chance.choice(["max", "min"]), "value": chance.randint(-4, 4), "children": children}

    return Tree.from_json({"player": "max", "children": [grow(5) for _ in range(3)]})


def settings(seed: int, count: int) -> list[tuple[int, int, int]]:
    """Numbers of threads, cut-offs and percentages, the same for a seed."""
    everything = list(itertools.product(THREADS, (0, 1, 2, 4), (0, 25, 50, 100)))
    return random.Random(seed).sample(everything, count)


@pytest.mark.parametrize("seed", range(12))
def test_values_of_random_trees_are_minimax(seed: int) -> None:
    game = random_tree(seed)
    for depth in (1, 2, 3, 4, 9):
        expected = value_of(game, game.initial(), depth)
        for threads, cutoff, percentage in settings(seed + depth, 4):
            found = jamboree(
                game, depth=depth, threads=threads, cutoff=cutoff, percentage_sequential=percentage, table_mb=0.001
            )
            assert found.value == expected, (depth, threads, cutoff, percentage)
            found = parallel_minimax(game, depth=depth, threads=threads, cutoff=cutoff)
            assert found.value == expected, (depth, threads, cutoff)
            assert value_of(game, game.play(game.initial(), found.move), depth - 1) == expected


@pytest.mark.parametrize("seed", range(10))
def test_values_of_positions_are_minimax(seed: int) -> None:
    state = random_position(SMALL, seed, most_nodes=5000)
    for depth in (3, 6, 20):
        expected = value_of(SMALL, state, depth)
        for threads, cutoff, percentage in settings(seed + depth, 6):
            megabytes = random.Random(seed).choice([0.0001, 0.01, 1])
            found = jamboree(
                SMALL, state, depth=depth, threads=threads, cutoff=cutoff, percentage_sequential=percentage,
                table_mb=megabytes,
            )  # fmt: skip
            assert found.value == expected, (depth, threads, cutoff, percentage, megabytes)
            assert value_of(SMALL, SMALL.play(state, found.move), depth - 1) == expected
            assert found.proven or depth < 20
            assert not found.proven or found.value == value_of(SMALL, state)
            assert found.nodes > 0
            found = parallel_minimax(SMALL, state, depth=depth, threads=threads, cutoff=cutoff)
            assert found.value == expected, (depth, threads, cutoff)


@pytest.mark.parametrize("seed", range(10))
def test_exact_values_are_those_of_one_thread(seed: int) -> None:
    state = random_position(SMALL, seed, most_nodes=20_000)
    expected = value_of(SMALL, state) * sign(SMALL.to_move(state))
    for threads, plies, percentage in settings(seed, 8):
        works = [new_work() for _ in range(threads)]
        for work in works:
            work.begin(None)
        table = table_of(random.Random(seed).choice([0.0001, 0.01, 1]))
        find = ready_to_solve(
            SMALL, state, False, table, works, split_plies=3 * plies, percentage_sequential=percentage
        )
        assert find() == expected, (threads, plies, percentage)
        weak = ready_to_solve(SMALL, state, True, table, works, split_plies=3 * plies)()
        assert (weak > 0) - (weak < 0) == (expected > 0) - (expected < 0)


def test_minimax_visits_every_node_once() -> None:
    """The number of nodes of the full tree does not depend on the threads."""
    counts = {parallel_minimax(SMALL, "33", depth=7, threads=threads, cutoff=3).nodes for threads in THREADS}
    assert counts == {pw.search(SMALL, "33", depth=7, algorithm="minimax").nodes}


@pytest.mark.parametrize("seed", range(8))
def test_a_stop_at_any_moment_leaves_no_thread_behind(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(5):
        search_to = parallel.jamboree(
            SMALL, SMALL.initial(), threads=chance.choice(THREADS), cutoff=chance.randint(0, 6)
        )
        with pytest.raises(Stopped):
            search_to(20, None, time.perf_counter() + chance.uniform(0, 0.01))
        search_to = parallel.parallel_minimax(SMALL, SMALL.initial(), threads=chance.choice(THREADS))
        with pytest.raises(Stopped):
            search_to(20, None, time.perf_counter() + 0.01)
        with pytest.raises(Stopped) as stopped:
            search_to(20, 1000, None)
        assert 0 < stopped.value.nodes < 1200


def test_ctrl_c_ends_all_threads() -> None:
    for delay in (0.01, 0.05):
        timer = threading.Timer(delay, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            parallel_minimax(SMALL, depth=20, threads=3)
        timer.join()


def test_the_interpreted_reading_gives_the_same() -> None:
    with pw.interpreted():
        found = jamboree(SMALL, "3344", depth=6, threads=3, cutoff=3)
        full = parallel_minimax(SMALL, "3344", depth=4, threads=3, cutoff=2)
    assert not found.compiled
    assert found.value == value_of(SMALL, SMALL.parse("3344"), 6)
    assert full.value == value_of(SMALL, SMALL.parse("3344"), 4)


def test_a_solution_by_two_threads_has_its_line() -> None:
    """The table holds nearly nothing, so that the line takes a search of its own after the threads' common one."""
    result = pw.Engine(SMALL, threads=2, table_mb=0.001).solve("12")
    end = result.state
    for move in result.line:
        end = SMALL.play(end, move)
    assert SMALL.is_terminal(end)
    assert SMALL.score(end) == result.value == pw.Engine(SMALL).solve("12").value


class Faulty(ConnectFour):
    """Rules that fail when the board is nearly full."""

    def is_terminal(self, state: Any) -> bool:
        if state.plies > 13:
            raise ZeroDivisionError("the game is too long")
        return self.has_line(state.mine ^ state.filled)


@pytest.mark.parametrize("weak", [False, True])
def test_an_error_in_the_rules_is_the_same_by_any_number_of_threads(weak: bool) -> None:
    for threads in (1, 2, 4):
        with pytest.raises(ZeroDivisionError, match="the game is too long"):
            pw.solve(Faulty(5, 4), threads=threads, weak=weak)
