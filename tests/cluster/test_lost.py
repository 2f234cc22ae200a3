"""A scheduler, a connection or a worker that is lost, or unfit: work goes on if it can, and else ends with an error."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster.addresses import connect
from plywise.cluster.bench import Kit
from plywise.cluster.executor import Executor, Job, Outcome, Report, done_in_turn
from plywise.games import Nim
from tests.cluster.dask_programs import WITHOUT_PLYWISE, DaskPrograms, wait_until
from tests.cluster.jobs import add, add_slowly, chatter, engine, search_for_ever, wait_for

pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")

from plywise.cluster import connection, roster
from plywise.cluster.dask import DISCONNECTED, MOST_ATTEMPTS

DEAF = "import time, plywise.cluster.parcel as parcel; parcel.plywise_digest = lambda: time.sleep(1000)"
"""What a worker executes that never answers the question for its plywise, nor anything else after it."""


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[DaskPrograms]:
    running = DaskPrograms(tmp_path)
    yield running
    running.close()


def numbers(executor: Executor, count: int, work: Callable[..., int] = add) -> list[int]:
    kit = Kit(Nim(), engine)
    with contextlib.closing(done_in_turn(executor, [Job(kit, work, (n, 0)) for n in range(count)])) as outcomes:
        return sorted(outcome.answer() for outcome in outcomes)


def refusing(code: str) -> str:
    """Return what a worker executes that refuses all games."""
    return f"import plywise.cluster.parcel as parcel; parcel.code_digest = lambda game: {code!r}"


class Fetching:
    """Dask's connection to its scheduler, with something done just before the first result is fetched."""

    def __init__(self, executor: Any, first: Callable[[], None]) -> None:
        self.scheduler, self.first = executor.client.scheduler, [first]
        executor.client.scheduler = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self.scheduler, name)

    async def gather(self, **options: Any) -> Any:
        if self.first:
            self.first.pop()()
        return await self.scheduler.gather(**options)


def break_connection(executor: Any) -> None:
    client = executor.client
    client.loop.add_callback(client.scheduler_comm.comm.abort)
    wait_until(lambda: client.is_lost)


def next_outcome(executor: Executor) -> Outcome:
    found = executor.next(timeout=30)
    assert isinstance(found, Outcome)
    return found


@pytest.mark.parametrize("at_work", [True, False], ids=["at work", "idle"])
def test_a_scheduler_that_dies_ends_the_work_with_an_error(
    programs: DaskPrograms, at_work: bool, tmp_path: Path
) -> None:
    with connect(str(programs.file)) as executor:
        assert numbers(executor, 2) == [0, 1]
        job = Job(Kit(Nim(), engine), search_for_ever, (str(tmp_path / "mark"),))
        if at_work:
            executor.submit(job)
        programs.close()
        with pytest.raises(pw.SearchError, match=DISCONNECTED.format("tcp://127.0.0.1:.*")):
            numbers(executor, 2)
        with pytest.raises(pw.SearchError, match=DISCONNECTED.format("tcp://127.0.0.1:.*")):
            numbers(executor, 2)
        assert executor.slots == 0


def test_after_a_connection_that_breaks_the_work_goes_on(programs: DaskPrograms) -> None:
    with connect(str(programs.file)) as executor:
        kit, found = Kit(Nim(), engine), list[int]()
        for outcome in done_in_turn(executor, [Job(kit, add, (number, 0)) for number in range(40)]):
            found.append(outcome.answer())
            if len(found) == 10:
                break_connection(executor)
        assert sorted(found) == list(range(40))


def test_a_connection_that_breaks_before_a_worker_has_the_kit(programs: DaskPrograms) -> None:
    with connect(str(programs.file)) as executor:
        executor.submit(Job(Kit(Nim(), engine), add, (3, 4)))
        break_connection(executor)
        assert next_outcome(executor).answer() == 7


def test_however_often_a_connection_breaks_the_job_is_not_to_blame(programs: DaskPrograms, tmp_path: Path) -> None:
    """It goes on in its worker, not in a process of its own."""
    with connect(str(programs.file)) as executor:
        executor.submit(Job(Kit(Nim(), engine), wait_for, (str(tmp_path / "mark"),)))
        for times in range(MOST_ATTEMPTS + 1):
            wait_until(lambda: executor.next(0.01) is None and executor.retried == times)  # noqa: B023 (called at once)
            wait_until(lambda: executor.crew().running == 1)
            break_connection(executor)
        (tmp_path / "mark").touch()
        assert next_outcome(executor).answer() == programs.workers[0].pid


def test_reports_that_come_while_a_connection_is_made_do_no_harm(programs: DaskPrograms, tmp_path: Path) -> None:
    """They come all the time, and also for the connection that was broken."""
    with connect(str(programs.file)) as executor:
        for name in ("one", "another"):
            executor.submit(Job(Kit(Nim(), engine), chatter, (str(tmp_path / name),)))
            programs.hire()
        for _ in range(30):
            while not isinstance(executor.next(timeout=30), Report):
                pass
            break_connection(executor)
        for name in ("one", "another"):
            (tmp_path / name).touch()
            while isinstance(news := executor.next(timeout=30), Report):
                pass
            assert isinstance(news, Outcome)
            assert news.error is None


def test_a_scheduler_that_is_started_again_gets_the_jobs_again(programs: DaskPrograms, tmp_path: Path) -> None:
    """Its workers know nothing of us, and it does not know that we want to hear from them."""
    port = programs.port
    with connect(str(programs.file)) as executor:
        executor.submit(Job(Kit(Nim(), engine), wait_for, (str(tmp_path / "mark"),)))
        wait_until(lambda: executor.crew().running == 1)
        programs.close()
        programs.open(port)
        (tmp_path / "mark").touch()
        worker = programs.hire()
        assert next_outcome(executor).answer() == worker.pid


def test_a_scheduler_without_plywise_is_blamed(tmp_path: Path) -> None:
    programs = DaskPrograms(tmp_path, workers=0)
    try:
        programs.scheduler.kill()
        programs.open(before=WITHOUT_PLYWISE)
        programs.hire()
        with connect(str(programs.file)) as executor:
            executor.submit(Job(Kit(Nim(), engine), add, (1, 2), "a sum"))
            with pytest.raises(pw.SearchError, match=r"could not do a sum: .*Scheduler and Client"):
                next_outcome(executor).answer()
    finally:
        programs.close()


def test_a_worker_without_plywise_is_named_and_passed_over(programs: DaskPrograms) -> None:
    with connect(str(programs.file)) as executor:
        programs.hire(WITHOUT_PLYWISE)
        executor.client.wait_for_workers(2, timeout=30)  # type: ignore[attr-defined]
        with pytest.warns(UserWarning, match="is passed over: it lacks plywise") as warned:
            wait_until(lambda: executor.slots == 1 and bool(warned))
        assert numbers(executor, 10) == list(range(10))


def test_a_worker_without_plywise_that_joins_meanwhile_costs_no_job(programs: DaskPrograms) -> None:
    with connect(str(programs.file)) as executor, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert numbers(executor, 2) == [0, 1]
        programs.hire(WITHOUT_PLYWISE)
        assert numbers(executor, 80, add_slowly) == list(range(80))


@pytest.mark.filterwarnings("ignore:the worker at .* is passed over")
def test_if_no_worker_has_plywise_it_says_so(programs: DaskPrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "UNFIT_SECONDS", 1.0)
    programs.workers[0].kill()
    programs.hire(WITHOUT_PLYWISE)
    with pytest.raises(
        pw.SearchError, match=r"no worker .* has the plywise .*for example tcp://127.*: it lacks plywise"
    ):
        connect(str(programs.file))


def test_while_one_job_reports_all_the_time_those_of_a_dead_worker_go_to_others(
    programs: DaskPrograms, tmp_path: Path
) -> None:
    with connect(str(programs.file)) as executor:
        waiting = executor.submit(Job(Kit(Nim(), engine), wait_for, (str(tmp_path / "mark"),)))
        wait_until(lambda: executor.crew().running == 1)
        others = [programs.hire().pid for _ in range(2)]
        wait_until(lambda: executor.slots == 3)
        executor.submit(Job(waiting.kit, chatter, (str(tmp_path / "end"),)))
        while not isinstance(executor.next(timeout=30), Report):
            pass
        programs.workers[0].kill()
        (tmp_path / "mark").touch()
        while isinstance(news := executor.next(timeout=30), Report):
            pass
        assert isinstance(news, Outcome)
        assert news.job is waiting
        assert news.answer() in others


def test_who_refuses_gets_no_job_while_one_that_does_not_may_come_back(programs: DaskPrograms) -> None:
    with connect(str(programs.file)) as executor, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        programs.hire(refusing("another"))
        wait_until(lambda: executor.slots == 2)
        kit = Kit(Nim(), engine)
        jobs = (Job(kit, add_slowly, (number, 0)) for number in range(80))
        found = [next(outcomes := done_in_turn(executor, jobs)).answer()]
        programs.workers[0].kill()
        threading.Timer(2.5, programs.hire).start()
        assert sorted([*found, *(outcome.answer() for outcome in outcomes)]) == list(range(80))


@pytest.mark.filterwarnings("ignore:the work waits", "ignore:the worker at .* is passed over")
def test_if_it_does_not_come_back_the_refusal_is_the_answer(
    programs: DaskPrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "WAIT_SECONDS", 3.0)
    with connect(str(programs.file)) as executor:
        kit = Kit(Nim(), engine)
        executor.submit(Job(kit, add, (1, 2)))
        assert next_outcome(executor).answer() == 3
        programs.hire(refusing("another"))
        wait_until(lambda: executor.slots == 2)
        programs.workers[0].kill()
        programs.workers[0].wait()
        executor.submit(Job(kit, add, (1, 2)))
        with pytest.raises(pw.GameError, match="refuses: Nim has other rules there"):
            next_outcome(executor).answer()


def test_without_workers_it_says_that_it_waits(programs: DaskPrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "UNFIT_SECONDS", 0.5)
    with connect(str(programs.file)) as executor:
        programs.workers[0].kill()
        executor.submit(Job(Kit(Nim(), engine), add, (1, 2)))
        with pytest.warns(UserWarning, match="the work waits for a worker that can do it: start some") as warned:
            wait_until(lambda: executor.next(0.01) is not None or bool(warned))
        assert executor.crew().running == 0
        programs.hire()
        assert next_outcome(executor).answer() == 3


def test_if_no_worker_of_our_own_can_be_started_again_it_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed.nanny import WorkerProcess

    async def fail(self: Any) -> None:
        raise BlockingIOError(11, "too many processes")

    monkeypatch.setattr(roster, "WAIT_SECONDS", 2.0)
    with connect("local", workers=1) as executor:
        (nanny,) = executor.own.workers.values()  # type: ignore[attr-defined]
        monkeypatch.setattr(WorkerProcess, "start", fail)
        os.kill(nanny.pid, signal.SIGKILL)
        wait_until(lambda: executor.slots == 0)
        executor.submit(Job(Kit(Nim(), engine), add, (1, 2)))
        with pytest.raises(pw.SearchError, match="the workers have ended, and none could be started again"):
            executor.next(timeout=30)


def test_jobs_whose_workers_are_all_gone_go_to_one_that_joins(programs: DaskPrograms, tmp_path: Path) -> None:
    with connect(str(programs.file)) as executor:
        job = executor.submit(Job(Kit(Nim(), engine), wait_for, (str(tmp_path / "mark"),)))
        wait_until(lambda: executor.crew().running == 1)
        executor.submit(Job(job.kit, add, (1, 2)))
        programs.hire(DEAF)
        executor.client.wait_for_workers(2, timeout=30)  # type: ignore[attr-defined]
        programs.workers[0].kill()
        (tmp_path / "mark").touch()
        wait_until(lambda: executor.slots == 0)
        worker = programs.hire()
        wait_until(lambda: executor.slots == 1)
        assert {next_outcome(executor).answer(), next_outcome(executor).answer()} == {3, worker.pid}


def test_a_result_that_is_lost_with_its_worker_is_found_again(programs: DaskPrograms) -> None:
    """Even if nobody else was there who could do it."""
    with connect(str(programs.file)) as executor:
        assert numbers(executor, 2) == [0, 1]

        def die() -> None:
            programs.workers[0].kill()
            programs.workers[0].wait()

        fetching = Fetching(executor, die)
        executor.submit(Job(Kit(Nim(), engine), add, (3, 4)))
        wait_until(lambda: not fetching.first)
        programs.hire()
        assert next_outcome(executor).answer() == 7


def test_a_machine_that_freezes_before_its_result_is_fetched_holds_up_no_other_result(tmp_path: Path) -> None:
    programs = DaskPrograms(tmp_path, workers=2)
    try:
        with connect(str(programs.file)) as executor:
            wait_until(lambda: executor.slots == 2)
            assert numbers(executor, 20) == list(range(20))
            Fetching(executor, lambda: programs.workers[0].send_signal(signal.SIGSTOP))
            kit = Kit(Nim(), engine)
            jobs = [executor.submit(Job(kit, add_slowly, (number, 0))) for number in range(20)]
            found = [executor.next(timeout=5) for _ in jobs[: len(jobs) // 4]]  # more than these are the other one's
            assert all(isinstance(outcome, Outcome) and outcome.error is None for outcome in found)
            programs.workers[0].send_signal(signal.SIGCONT)
            found += [next_outcome(executor) for _ in jobs[len(jobs) // 4 :]]
            assert sorted(outcome.answer() for outcome in found if isinstance(outcome, Outcome)) == list(range(20))
    finally:
        programs.close()


def test_a_machine_that_freezes_and_is_told_much_holds_up_no_other_job(tmp_path: Path) -> None:
    programs = DaskPrograms(tmp_path, workers=2)
    try:
        with connect(str(programs.file)) as executor:
            wait_until(lambda: executor.slots == 2)
            kit = Kit(Nim(), engine)
            jobs = [executor.submit(Job(kit, wait_for, (str(tmp_path / name),))) for name in ("one", "another")]
            wait_until(lambda: executor.next(0.01) is None and executor.crew().running == 2)
            programs.workers[0].send_signal(signal.SIGSTOP)
            for number in range(2000):  # more than there can be connections
                for job in jobs:
                    executor.update(job, number, lasting=number % 2 == 0)
            for name in ("one", "another"):
                (tmp_path / name).touch()
            assert next_outcome(executor).answer() == programs.workers[1].pid
            assert numbers(executor, 1) == [0]
            programs.workers[0].send_signal(signal.SIGCONT)
            assert next_outcome(executor).answer() == programs.workers[0].pid
    finally:
        programs.close()


def test_what_is_not_sent_to_a_frozen_scheduler_is_not_waited_for(
    programs: DaskPrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LEAVE_SECONDS", 0.5)
    executor = connect(str(programs.file))
    programs.scheduler.send_signal(signal.SIGSTOP)
    executor.submit(Job(Kit(Nim(), engine), add, ("x" * 20_000_000, "y")))
    time.sleep(0.3)
    begun, threads = time.monotonic(), threading.active_count()
    executor.close()
    assert time.monotonic() - begun < 10
    assert threading.active_count() < threads


def test_a_scheduler_that_freezes_ends_the_work_with_an_error(
    programs: DaskPrograms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(roster, "SILENCE_SECONDS", 1.0)
    with connect(str(programs.file)) as executor:
        job = executor.submit(Job(Kit(Nim(), engine), wait_for, (str(tmp_path / "mark"),)))
        wait_until(lambda: executor.crew().running == 1)
        programs.scheduler.send_signal(signal.SIGSTOP)
        with pytest.raises(pw.SearchError, match="the scheduler of the cluster has not answered for 1 s"):
            executor.next(timeout=20)
        executor.cancel(job)


def test_a_scheduler_may_be_slow_now_and_then(programs: DaskPrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(roster, "SILENCE_SECONDS", 1.5)
    with connect(str(programs.file)) as executor:
        for _ in range(2):
            assert executor.slots == 1
            programs.scheduler.send_signal(signal.SIGSTOP)
            wait_until(lambda: executor.slots == 0)
            time.sleep(1.0)
            assert executor.slots == 0
            programs.scheduler.send_signal(signal.SIGCONT)
            wait_until(lambda: executor.slots == 1)


def test_a_worker_that_is_replaced_leaves_its_jobs_to_the_new_one_beside_an_unfit_one(programs: DaskPrograms) -> None:
    with connect(str(programs.file)) as executor, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        programs.hire(WITHOUT_PLYWISE)
        workers = executor.roster.workers  # type: ignore[attr-defined]
        wait_until(lambda: executor.slots == 1 and any(worker.unfit for worker in workers.values()))
        jobs = (Job(Kit(Nim(), engine), add_slowly, (number, 0)) for number in range(60))
        found = [next(outcomes := done_in_turn(executor, jobs)).answer()]
        programs.workers[0].kill()
        threading.Timer(2.5, programs.hire).start()
        assert sorted([*found, *(outcome.answer() for outcome in outcomes)]) == list(range(60))


def test_a_worker_that_joins_and_never_answers_holds_up_nobody(programs: DaskPrograms) -> None:
    with connect(str(programs.file)) as executor:
        assert numbers(executor, 2) == [0, 1]
        programs.hire(DEAF)
        executor.client.wait_for_workers(2, timeout=30)  # type: ignore[attr-defined]
        assert numbers(executor, 40, add_slowly) == list(range(40))
        assert executor.slots == 1
        with connect(str(programs.file)) as another:
            assert numbers(another, 10) == list(range(10))
