"""The place where jobs are done: tools are made once for each thread, belong to one kit, and are closed once."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import plywise as pw
from plywise.cluster.bench import WANTED, Bench, Desk, Finished, Kit
from plywise.cluster.executor import Executor, Here, Job, Outcome, Threads
from plywise.errors import Stopped
from plywise.games import Nim
from tests.cluster.dask_programs import wait_until
from tests.cluster.jobs import add


class Tools:
    """Tools that say where they come from, and count how often they are closed."""

    def __init__(self, name: str) -> None:
        self.name, self.closed = name, 0

    def close(self) -> None:
        self.closed += 1


def name_of(desk: Desk) -> str:
    return str(desk.tools.name)


def answer(executor: Executor, kit: Kit) -> Any:
    executor.submit(Job(kit, name_of, ()))
    outcome = executor.next(timeout=20)
    assert isinstance(outcome, Outcome)
    return outcome.answer()


def test_tools_are_made_once_and_closed_once() -> None:
    made: list[Tools] = []

    def make(game: Any, share: float) -> Tools:
        made.append(Tools("only"))
        return made[-1]

    with Here() as executor:
        kit = Kit(Nim(), make)
        assert [answer(executor, kit) for _ in range(3)] == ["only"] * 3
        executor.release(kit)
    assert [tools.closed for tools in made] == [1]


def test_tools_whose_kit_is_released_while_they_are_made_are_closed_and_not_used() -> None:
    making, released, made = threading.Event(), threading.Event(), Tools("late")

    def make(game: Any, share: float) -> Tools:
        making.set()
        assert released.wait(20)
        return made

    executor, kit = Threads(1), Kit(Nim(), make)
    with executor:
        job = executor.submit(Job(kit, name_of, ()))
        assert making.wait(20)
        executor.cancel(job)
        executor.release(kit)
        released.set()
        assert answer(executor, Kit(Nim(), lambda game, share: Tools("next"))) == "next"
        assert made.closed == 1
        assert executor.bench.kits.keys().isdisjoint({kit.number})


def test_tools_in_use_are_closed_after_their_job() -> None:
    bench, kit, tools = Bench(1, lambda number, message: None), Kit(Nim(), lambda game, share: tools), Tools("in use")

    def work(desk: Desk) -> int:
        bench.release("kit")
        return tools.closed

    bench.kits["kit"] = kit
    bench.announce(1)
    assert bench.do(1, "kit", work, ()).value == 0
    assert tools.closed == 1


def test_a_job_stopped_before_its_tools_are_made_makes_none() -> None:
    bench = Bench(1, lambda number, message: None)
    bench.kits["kit"] = Kit(Nim(), lambda game, share: pytest.fail("made"))
    bench.announce(1)
    bench.desks[1].stop()
    assert isinstance(bench.do(1, "kit", name_of, ()).error, Stopped)


def test_a_client_that_does_not_send_its_kit_holds_up_no_other() -> None:
    wanted: list[Any] = []
    bench = Bench(3, lambda number, message: wanted.append((number, message)))
    for number in (1, 2, 3):
        bench.announce(number)
    bench.bring("here", Kit(Nim(), lambda game, share: game))
    waiting = [threading.Thread(target=bench.do, args=(number, "frozen", add, (1, 2))) for number in (1, 2)]
    for each in waiting:
        each.start()
    assert bench.do(3, "here", add, (1, 2)).value == 3
    wait_until(lambda: len(wanted) == 1)
    first, second = (1, 2) if wanted == [(1, WANTED)] else (2, 1)
    bench.stop(first)  # now the other one asks
    wait_until(lambda: wanted[1:] == [(second, WANTED)])
    bench.stop(second)
    for each in waiting:
        each.join(10)
        assert not each.is_alive()


def test_a_stopped_job_does_not_wait_until_another_has_compiled() -> None:
    compiling, over = threading.Event(), threading.Event()

    def compile_long(game: pw.Game, share: float) -> None:
        compiling.set()
        over.wait(30)

    bench, ended = Bench(2, lambda number, message: None), list[Finished]()
    bench.bring("slow", Kit(Nim(), compile_long))
    for number in (1, 2):
        bench.announce(number)
    threads = [threading.Thread(target=lambda n=n: ended.append(bench.do(n, "slow", add, (1, 2)))) for n in (1, 2)]
    for thread in threads:
        thread.start()
        compiling.wait(10)
    bench.stop(2)
    wait_until(lambda: [type(each.error) for each in ended] == [Stopped])
    over.set()
    for thread in threads:
        thread.join(10)
    assert ended[1].value == 3
