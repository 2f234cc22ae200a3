"""An executor of worker processes of this machine."""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import threading
import time
from collections import Counter, deque
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any

from plywise.cluster.bench import Bench, Finished, Kit, PackedKit, portable, report_warnings
from plywise.cluster.executor import MOST_KILLS, Crew, Executor, Job, lost, unpacked
from plywise.compiling.reading import interpreted, interpreting
from plywise.errors import SearchError
from plywise.inputs.limits import check_threads
from plywise.io.processes import GUARD, UNGUARDED, start, uninterrupted

JOB, KIT, RELEASE, STOP, TELL = range(5)
"""Kinds of messages to a worker."""

DONE, REPORT, READY = range(3)
"""Kinds of messages from a worker."""

MOST_FALSE_STARTS = 3
"""After so many processes in a row that died while they started, there will never be one in their place."""

FAREWELL = 2.0
"""Seconds that a worker has to end before it is killed."""

_GONE = (EOFError, OSError)


class Processes(Executor):
    """Processes of this machine, each with one thread; a crash costs only one of them."""

    def __init__(self, processes: int, most_kills: int = MOST_KILLS) -> None:
        check_threads(processes)
        super().__init__()
        self.most_kills = most_kills
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._kills: Counter[int] = Counter()
        self._ears, self._mouth = multiprocessing.Pipe(duplex=False)
        self._closing = False
        self._failure: SearchError | None = None
        """Why there will never be a worker again."""
        self._workers: list[_Worker] = []
        try:
            with uninterrupted():
                for _ in range(processes):
                    self._workers.append(_Worker())
        except BaseException as error:
            for worker in self._workers:
                worker.leave(0.0)
            if isinstance(error, OSError):
                raise _not_started(error) from None
            raise
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def slots(self) -> int:
        return len(self._workers)

    def crew(self) -> Crew:
        running = sum(worker.job is not None for worker in self._workers)
        return Crew(len(self._workers), len(self._workers), running, self.retried)

    def _start(self, job: Job) -> None:
        _ = job.kit.content, job.content  # raises if they cannot travel
        with self._lock:
            if self._failure is not None:
                raise self._failure
            self._waiting.append(job)
            self._distribute()

    def _distribute(self) -> None:
        """Give waiting jobs to idle workers."""
        for worker in self._workers:
            while worker.job is None and self._waiting:
                job = self._waiting.popleft()
                if job.number in self.jobs:
                    worker.give(job)

    def _cancel(self, job: Job) -> None:
        with self._lock:
            for worker in self._at_work_on(job):
                worker.send((STOP, job.number))

    def _update(self, job: Job, message: Any, lasting: bool) -> None:
        with self._lock:
            for worker in self._at_work_on(job):
                worker.tell(*(() if lasting else (message,)))

    def _bring(self, job: Job) -> None:
        with self._lock:
            for worker in self._at_work_on(job):
                worker.send((KIT, job.kit.number, job.kit.content))

    def _at_work_on(self, job: Job) -> list[_Worker]:
        """Return the worker of a job; none if the job has not begun."""
        return [worker for worker in self._workers if worker.job is job]

    def _listen(self) -> None:
        while not self._closing:
            with self._lock:
                pipes = {worker.pipe: worker for worker in self._workers}
            for pipe in wait([*pipes, self._ears]):
                if pipe in pipes and not self._closing:
                    self._hear(pipes[pipe])

    def _hear(self, worker: _Worker) -> None:
        kind: int | None = None
        with contextlib.suppress(Exception):  # it may have died, perhaps in the middle of a message
            kind, number, content = worker.pipe.recv()
        if kind is None:
            self._replace(worker)
            return
        if kind == READY:
            worker.false_starts = 0
            return
        if kind == REPORT:
            self._reported(number, content)
            return
        with self._lock:
            job, worker.job = worker.job, None
            if job is not None and job.number in self.jobs:
                self._ended(job, content, str(worker.process.pid))
            self._distribute()
        assert job is None or job.number == number

    def _replace(self, worker: _Worker) -> None:
        """Start another process in place of a dead one, if that works; its job goes to the next that is free."""
        worker.process.join(FAREWELL)
        code = worker.process.exitcode
        worker.leave(0.0)
        with self._lock:
            job = worker.job
            try:
                if code == UNGUARDED or worker.false_starts == MOST_FALSE_STARTS:
                    raise _false_start(code)
                self._workers[self._workers.index(worker)] = _Worker(worker.false_starts + 1)
            except (OSError, SearchError) as error:
                self._workers.remove(worker)
                if not self._workers or code == UNGUARDED:
                    self._give_up(_not_started(error) if isinstance(error, OSError) else error)
                    return
            if job is not None and job.number in self.jobs:
                arrived = not worker.false_starts
                self._kills[job.number] += arrived
                if self._kills[job.number] < self.most_kills:
                    self.retried += arrived
                    self._waiting.appendleft(job)
                else:
                    self._ended(job, lost(job, f"its process died (exit code {code})"))
            self._distribute()

    def _give_up(self, failure: SearchError) -> None:
        """End all jobs with an error: no process can be started."""
        self._closing, self._failure = True, failure
        for job in list(self.jobs.values()):
            self._ended(job, Finished(None, failure, 0.0))

    def release(self, kit: Kit) -> None:
        with self._lock:
            for worker in self._workers:
                worker.send((RELEASE, kit.number))

    def close(self) -> None:
        if self.is_closed:
            return
        super().close()
        self._closing = True
        self._mouth.send(None)
        self._listener.join()
        end = time.monotonic() + FAREWELL
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.leave(end - time.monotonic())
        self._mouth.close()
        self._ears.close()


def _not_started(error: OSError) -> SearchError:
    return SearchError(f"no worker process can be started: {error.strerror}")


def _false_start(code: int | None) -> SearchError:
    if code == UNGUARDED:
        return SearchError(GUARD)
    return SearchError(f"worker processes end while they start (exit code {code})")


class _Worker:
    """A worker process, seen from the main process.

    Args:
        false_starts: how many processes in a row, with this one, may have died in its place while they started.
    """

    def __init__(self, false_starts: int = 1) -> None:
        self.process, self.pipe = start(serve, interpreting())
        self.job: Job | None = None
        self.told = 0
        """How many of its job's lasting messages it has been told."""
        self.false_starts = false_starts
        """0: it has started."""

    def give(self, job: Job) -> None:
        """Send it a job."""
        self.job, self.told = job, 0
        self.send((JOB, job.number, job.kit.number, unpacked, (job.content,)))
        self.tell()

    def tell(self, *passing: Any) -> None:
        """Tell its job the lasting messages that it has not heard, and others."""
        assert self.job is not None
        for message in (*self.job.messages[self.told :], *passing):
            self.send((TELL, self.job.number, message))
        self.told = len(self.job.messages)

    def send(self, message: Any) -> None:
        with contextlib.suppress(*_GONE):  # it is dead, which the listener will notice
            self.pipe.send(message)

    def leave(self, patience: float) -> None:
        """End the process; kill it if that takes longer."""
        self.pipe.close()
        self.process.join(max(0.0, patience))
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


# In a worker process --------------------------------------------------------------------------------------------------


def serve(pipe: Connection, in_python: bool) -> None:
    """Do the jobs that come through the pipe until its other end is closed."""
    sending = threading.Lock()  # reports may come from any thread of a job

    def send(*message: Any) -> None:
        with contextlib.suppress(*_GONE), sending:
            pipe.send(message)

    report_warnings()
    bench = Bench(1, partial(send, REPORT))
    jobs: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                kind, *rest = pipe.recv()
                if kind == KIT:
                    key, content = rest
                    bench.bring(key, PackedKit(content))
                elif kind == RELEASE:
                    bench.release(*rest)
                elif kind == STOP:
                    bench.stop(*rest)
                elif kind == TELL:
                    bench.tell(*rest)
                else:
                    bench.announce(rest[0])
                    jobs.put(tuple(rest))
        except _GONE:
            pass
        finally:  # also if a message cannot be read: nobody could stop what runs here
            for number in list(bench.desks):
                bench.stop(number)
            jobs.put(None)

    threading.Thread(target=listen, daemon=True).start()
    send(READY, None, None)
    with contextlib.ExitStack() as stack:
        stack.callback(bench.close)
        if in_python:
            stack.enter_context(interpreted())
        while (job := jobs.get()) is not None:
            finished = portable(bench.do(*job))
            try:
                send(DONE, job[0], finished)
            except Exception as error:  # then nothing was sent
                failure = SearchError(f"what a job returns cannot be sent to another process: {error}")
                send(DONE, job[0], finished._replace(value=None, error=failure))
