"""Time per move: the clock never runs out, and time is spent where it helps."""

from __future__ import annotations

import dataclasses
import random
import time
from types import SimpleNamespace
from typing import Any

import pytest

import plywise as pw
from plywise.engine.clock import LEAST, TimeManager
from plywise.result import Race


@pytest.mark.parametrize("seed", range(5))
def test_no_move_takes_more_than_there_is(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(1000):
        remaining, overhead = 10 ** chance.uniform(-3, 3), chance.choice([0.0, 0.02, 0.1])
        manager = TimeManager(
            remaining, chance.choice([0.0, 0.01, 2.0, 30.0]), chance.choice([None, 1, 2, 40]), overhead
        )
        assert 0 < manager.soft <= manager.hard <= max(LEAST, remaining - overhead)


@pytest.mark.parametrize(("base", "increment"), [(180.0, 2.0), (10.0, 0.1), (1.0, 0.05), (60.0, 0.0), (0.1, 0.01)])
def test_a_game_in_which_every_move_takes_the_hardest_limit_is_not_lost_on_time(base: float, increment: float) -> None:
    remaining = base
    for _ in range(300):
        manager = TimeManager(remaining, increment, overhead=0.005)
        remaining -= manager.hard + (0.004 if remaining > 0.005 else 0)
        assert remaining > 0 or increment == 0
        remaining += increment


def test_most_of_the_time_is_used_in_a_game_of_sixty_moves() -> None:
    remaining = 60.0
    for _ in range(60):
        remaining -= TimeManager(remaining).soft * 1.4  # the depth that is begun before it ends after it
    assert 0 < remaining < 12


def test_the_last_move_before_the_control_may_use_all_of_it() -> None:
    assert TimeManager(10.0, moves_to_go=1, overhead=0.1).hard == pytest.approx(9.9)
    assert TimeManager(10.0, moves_to_go=20).soft > TimeManager(10.0).soft


def after(manager: TimeManager, move: int, elapsed: float, effort: float | None = None, depth: int = 9) -> bool:
    """Return whether to stop when a depth ends with this best move after ``elapsed`` seconds."""
    manager.begun = time.perf_counter() - elapsed
    result: Any = SimpleNamespace(race=None, move=move, effort=effort, depth=depth)
    return manager.enough(result)


def test_a_best_move_that_changes_gets_more_time() -> None:
    calm, nervous = TimeManager(100.0), TimeManager(100.0)
    for move in (1, 1, 1):
        assert not after(calm, move, 0.0)
    for move in (1, 2, 1):
        assert not after(nervous, move, 0.0)
    assert after(calm, 1, 1.1 * calm.soft)
    assert not after(nervous, 1, 1.1 * nervous.soft)
    assert after(nervous, 2, nervous.hard)


def test_a_best_move_that_stays_gets_less_and_less_time() -> None:
    manager, limits = TimeManager(100.0), []
    for _ in range(12):
        after(manager, 1, 0.0)
        limits.append(manager.limit)
    assert limits == sorted(limits, reverse=True)
    assert limits[0] > manager.soft > limits[-1] == limits[-2] > manager.soft / 2


def test_a_best_move_that_took_nearly_all_positions_gets_less_time() -> None:
    limits = []
    for effort in (0.2, 0.5, 0.9, 1.0):
        manager = TimeManager(100.0)
        after(manager, 1, 0.0, effort)
        limits.append(manager.limit)
    assert limits == sorted(limits, reverse=True)
    manager = TimeManager(100.0)
    after(manager, 1, 0.0, effort=1.0, depth=2)  # at a small depth, it says nothing
    assert limits[0] > manager.limit > limits[-1]


def test_the_effort_of_the_best_move_is_counted() -> None:
    efforts: dict[int, float] = {}
    engine = pw.Engine(pw.games.Chess(), table_mb=4)
    engine.search(
        depth=6, exact=False, nodes=20_000, on_info=lambda result: efforts.update({result.depth: result.effort})
    )
    assert set(efforts) >= {1, 2, 3, 4}
    assert all(0 < effort <= 1 for effort in efforts.values())
    forced = engine.search("7k/8/6KQ/8/8/8/8/8 b - - 0 1", nodes=100)  # one move, which takes everything but the root
    assert forced.effort is None or forced.effort > 0.8


def test_the_clock_may_have_been_started_before() -> None:
    manager = TimeManager(100.0, begun=time.perf_counter() - 5)
    assert 5 <= manager.elapsed < 6


def test_playouts_end_when_the_second_move_cannot_catch_up() -> None:
    def ends(first: int, second: int, agreed: bool = True) -> bool:
        manager = TimeManager(100.0)
        result = after_playouts(Race(first, second, agreed, 0.5), rounds=1000, seconds=1.0)
        manager.begun -= 1.0  # at 1,000 rounds a second
        return manager.enough(result)

    soft = TimeManager(100.0).soft
    needed = round(1000 * (soft - 1))
    assert ends(needed + 100, 50)
    assert not ends(needed - 100, 50)
    assert not ends(needed + 100, 50, agreed=False)  # a rival looks better: there is more time


def test_playouts_end_when_time_is_up_even_if_the_best_move_had_few() -> None:
    manager = TimeManager(100.0)
    manager.begun -= manager.soft + 0.1
    assert manager.enough(after_playouts(Race(10, 1000, True, 1.0), rounds=1010, seconds=manager.soft))


def after_playouts(race: Race, rounds: int, seconds: float) -> pw.Result:
    result = pw.search(pw.games.TicTacToe(), depth=1)
    return dataclasses.replace(result, race=race, leaves=rounds, seconds=seconds)
