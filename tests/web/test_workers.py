"""The promises of the worker processes."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")

from plywise.compiling.progress import Compiling
from plywise.errors import PositionError, SearchError
from plywise.web import waiting
from plywise.web import workers as module
from plywise.web.waiting import Busy
from plywise.web.workers import CompileNews, Waiting, WorkerCrashed, Workers
from tests.web import support


@pytest.fixture
def workers() -> Iterator[Workers]:
    made = Workers(count=1)
    yield made
    made.close()


def test_a_function_runs_in_another_process_and_its_errors_come_back(workers: Workers) -> None:
    async def scene() -> None:
        answer, process = await workers.run(support.double, 21, seconds=30)
        assert answer == 42
        assert process != os.getpid()
        with pytest.raises(PositionError, match="this is no position"):
            await workers.run(support.complain, seconds=30)
        with pytest.raises(WorkerCrashed, match="an unforeseen error"):
            await workers.run(support.crash, seconds=30)
        assert (await workers.run(support.double, 1, seconds=30))[1] == process

    asyncio.run(scene())


def test_what_takes_too_long_or_dies_is_replaced(workers: Workers) -> None:
    async def scene() -> None:
        await workers.run(support.double, 1, seconds=30)
        with pytest.raises(SearchError, match=r"more than 0\.2 seconds"):
            await workers.run(support.sleep, 60, seconds=0.2)
        with pytest.raises(WorkerCrashed, match="the worker process ended"):
            await workers.run(support.die, seconds=30)
        assert (await workers.run(support.double, 4, seconds=30))[0] == 8

    asyncio.run(scene())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
def test_a_job_that_needs_too_much_memory_is_told_so_and_the_process_goes_on() -> None:
    workers = Workers(count=1, memory_mb=1024)

    async def scene() -> None:
        assert await workers.run(support.hoard, 256, seconds=30) == 256 << 20
        _, process = await workers.run(support.double, 1, seconds=30)
        with pytest.raises(SearchError, match="this needs more than the 1,024 MB of memory"):
            await workers.run(support.hoard, 4096, seconds=30)
        assert await workers.run(support.double, 2, seconds=30) == (4, process)

    try:
        asyncio.run(scene())
    finally:
        workers.close()


def is_there(process: int) -> bool:
    """Whether the system knows a process, if only as a zombie."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_process_that_was_killed_or_died_leaves_nothing_behind(workers: Workers) -> None:
    async def scene() -> None:
        for ending, arguments, seconds in ((support.sleep, (60,), 0.2), (support.die, (), 30)):
            _, process = await workers.run(support.double, 1, seconds=30)
            with pytest.raises((SearchError, WorkerCrashed)):
                await workers.run(ending, *arguments, seconds=seconds)
            for _ in range(500):
                if not is_there(process):
                    break
                await asyncio.sleep(0.01)
            assert not is_there(process)

    asyncio.run(scene())


def test_who_stops_listening_stops_the_job_and_the_process_is_kept(workers: Workers) -> None:
    async def scene() -> None:
        _, process = await workers.run(support.double, 1, seconds=30)
        stream = workers.stream(support.count_until_stopped, seconds=30)
        assert [await anext(stream) for _ in range(3)] == [1, 2, 3]
        await stream.aclose()
        assert await workers.run(support.double, 5, seconds=30) == (10, process)

    asyncio.run(scene())


def test_a_process_that_is_only_starting_is_kept(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE", 0.0)

    async def scene() -> None:
        stream = workers.stream(support.count_until_stopped, seconds=30)
        beginning = asyncio.ensure_future(anext(stream))
        while not workers._all:
            await asyncio.sleep(0.001)
        (worker,) = workers._all
        beginning.cancel()
        await asyncio.gather(beginning, return_exceptions=True)
        assert await workers.run(support.double, 5, seconds=30) == (10, worker.process.pid)

    asyncio.run(scene())


def test_a_job_that_does_not_heed_is_ended(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE", 0.2)

    async def scene() -> None:
        stream = workers.stream(support.never_stop, seconds=30)
        assert await anext(stream) == "begun"
        await stream.aclose()
        assert (await workers.run(support.double, 6, seconds=30))[0] == 12

    asyncio.run(scene())


def test_jobs_wait_for_their_turn_but_not_too_many(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MOST_WAITING", 1)

    async def scene() -> None:
        first = workers.stream(support.count_until_stopped, seconds=30)
        await anext(first)
        second = workers.stream(support.remember, "second", seconds=30)
        assert await anext(second) == Waiting()
        waiting = asyncio.ensure_future(anext(second))
        await asyncio.sleep(0.05)
        with pytest.raises(Busy):
            await workers.run(support.double, 1, seconds=30)
        await first.aclose()
        assert await waiting == "second"
        assert [each async for each in second] == []
        third = [each async for each in workers.stream(support.remember, "third", seconds=30)]
        assert third == ["second"]

    asyncio.run(scene())


def test_compiling_is_told_and_its_time_does_not_count(workers: Workers) -> None:
    async def scene() -> None:
        await workers.run(support.double, 1, seconds=30)
        told = [each async for each in workers.stream(support.compile_slowly, seconds=0.3)]
        assert told == [CompileNews(Compiling("the search", 0.5, 3.0)), CompileNews(None), "compiled"]

    asyncio.run(scene())


def test_a_compilation_that_is_given_up_ends_its_process(workers: Workers) -> None:
    async def scene() -> None:
        compiling = workers.stream(support.compile_slowly, seconds=30, kill=True)
        assert isinstance(await anext(compiling), CompileNews)
        (worker,) = workers._all
        await compiling.aclose()
        for _ in range(1000):  # the worker's listener waits for the process; a second wait might miss its end
            if not worker.process.is_alive():
                break
            await asyncio.sleep(0.01)
        assert not worker.process.is_alive()
        assert (await workers.run(support.double, 2, seconds=30))[0] == 4

    asyncio.run(scene())


# Patient jobs -------------------------------------------------------------------------------------------------------


async def until(stream: AsyncGenerator[Any, None], wanted: Callable[[Any], bool]) -> list[Any]:
    """Return the messages of a stream up to the first that is wanted."""
    told = [await anext(stream)]
    while not wanted(told[-1]):
        told.append(await anext(stream))
    return told


def is_waiting(message: Any) -> bool:
    return isinstance(message, Waiting)


def is_count(message: Any) -> bool:
    return isinstance(message, tuple) and not is_waiting(message)


def test_a_patient_job_gives_way_and_goes_on_where_it_was(workers: Workers) -> None:
    async def scene() -> None:
        patient = workers.stream(support.count_on, 300, seconds=30, patient=True)
        before, process = await anext(patient)
        assert await workers.run(support.double, 4, seconds=30) == (8, process)
        assert is_waiting((await until(patient, is_waiting))[-1])
        told = [each async for each in patient]
        assert told[-1] == 300
        numbers = [number for number, _ in told[:-1]]
        assert numbers == list(range(numbers[0], 301))
        assert numbers[0] > before

    asyncio.run(scene())


def test_all_that_wait_are_served_before_a_patient_job_goes_on(workers: Workers) -> None:
    async def scene() -> None:
        patient = workers.stream(support.count_on, 10**6, seconds=30, patient=True)
        await anext(patient)
        jobs = [asyncio.ensure_future(workers.run(support.sleep, 0.1, seconds=30)) for _ in range(4)]
        await until(patient, is_waiting)
        await until(patient, is_count)
        assert all(job.done() for job in jobs)
        await patient.aclose()

    asyncio.run(scene())


def test_patient_jobs_take_turns(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TURN", 0.1)

    async def scene() -> None:
        streams = [workers.stream(support.count_on, 10**6, seconds=30, patient=True) for _ in range(3)]
        order: list[int] = []

        async def follow(index: int) -> None:
            for turn in range(3):
                await until(streams[index], is_count)
                order.append(index)
                if turn < 2:
                    await until(streams[index], is_waiting)
            await streams[index].aclose()

        await asyncio.gather(*map(follow, range(3)))
        assert sorted(order[:3]) == [0, 1, 2]
        assert order == order[:3] * 3

    asyncio.run(scene())


def test_a_patient_job_whose_client_does_not_read_gives_way_too(workers: Workers) -> None:
    async def scene() -> None:
        patient = workers.stream(support.count_on, 10**6, seconds=30, patient=True)
        await anext(patient)
        for number in range(3):
            assert (await workers.run(support.double, number, seconds=30))[0] == 2 * number
        await patient.aclose()

    asyncio.run(scene())


@pytest.mark.parametrize(("patient", "first"), [(True, 47), (False, 2)])
def test_only_a_patient_jobs_messages_replace_each_other(
    workers: Workers, monkeypatch: pytest.MonkeyPatch, patient: bool, first: int
) -> None:
    monkeypatch.setattr(module, "MOST_UNREAD", 5)

    async def scene() -> None:
        counting = workers.stream(support.count_on, 50, seconds=30, patient=patient)
        await anext(counting)
        while workers._queue.free == 0:
            await asyncio.sleep(0.01)
        told = [each async for each in counting]
        assert [number for number, _ in told[:-1]] == list(range(first, 51))
        assert told[-1] == 50

    asyncio.run(scene())


def test_a_lone_patient_job_is_not_interrupted(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TURN", 0.05)

    async def scene() -> None:
        told = [each async for each in workers.stream(support.count_on, 50, seconds=30, patient=True)]
        assert not any(map(is_waiting, told))
        assert told[-1] == 50

    asyncio.run(scene())


def test_a_patient_job_that_does_not_heed_is_ended_and_begun_again(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAY", 0.1)

    async def scene() -> None:
        patient = workers.stream(support.never_stop, seconds=30, patient=True)
        assert await anext(patient) == "begun"
        following = asyncio.ensure_future(until(patient, lambda message: message == "begun"))
        assert (await workers.run(support.double, 6, seconds=30))[0] == 12
        assert (await following)[-1] == "begun"
        await patient.aclose()

    asyncio.run(scene())


def test_a_patient_job_that_waits_can_be_left(workers: Workers) -> None:
    async def scene() -> None:
        first = workers.stream(support.count_until_stopped, seconds=30)
        await anext(first)
        patient = workers.stream(support.count_on, 10, seconds=30, patient=True)
        assert is_waiting(await anext(patient))
        waiting = asyncio.ensure_future(anext(patient))
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await first.aclose()
        assert (await workers.run(support.double, 3, seconds=30))[0] == 6

    asyncio.run(scene())


def test_a_job_goes_to_the_worker_that_knows_its_owner() -> None:
    workers = Workers(count=2)

    async def scene() -> None:
        one, two = (workers.stream(support.count_on, 20, seconds=30, owner=name) for name in ("one", "two"))
        (_, first), (_, second) = await anext(one), await anext(two)
        assert first != second
        async for _ in one:
            pass
        async for _ in two:
            pass
        for owner, process in (("one", first), ("two", second), ("one", first)):
            told = [each async for each in workers.stream(support.count_on, 1, seconds=30, owner=owner)]
            assert told[0] == (1, process)

    try:
        asyncio.run(scene())
    finally:
        workers.close()


def test_the_patient_job_beside_the_owners_table_gives_way() -> None:
    workers = Workers(count=2)

    async def scene() -> None:
        one, two = (
            workers.stream(support.count_on, 10**6, seconds=30, patient=True, owner=name) for name in ("one", "two")
        )
        await anext(one)
        _, second = await anext(two)
        told = [each async for each in workers.stream(support.count_on, 1, seconds=30, owner="two")]
        assert told == [Waiting(), (1, second), 1]
        await one.aclose()
        await two.aclose()

    try:
        asyncio.run(scene())
    finally:
        workers.close()
