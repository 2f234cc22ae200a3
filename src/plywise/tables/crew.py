"""Threads that work on the parts of a large job and hand in the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")

AHEAD = 3
"""How many parts per thread may wait to be done or to be handed in, so that results do not pile up."""


class Crew:
    """Some threads; compiled code runs in them without Python's global lock.  One thread is the caller's own."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="plywise table") if threads > 1 else None

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)

    def each(self, work: Callable[[Item], Answer], items: Iterable[Item]) -> Iterator[Answer]:
        """Yield ``work(item)`` for every item, in order."""
        if self.pool is None:
            yield from map(work, items)
            return
        waiting: deque[Future[Any]] = deque()
        for item in items:
            waiting.append(self.pool.submit(work, item))
            if len(waiting) >= AHEAD * self.threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def do(self, work: Callable[[Item], object], items: Iterable[Item]) -> None:
        """Do ``work(item)`` for every item."""
        for _ in self.each(work, items):
            pass
