"""Compiling a game once for everybody: whoever wants to search it meanwhile waits for the same process.

Unlike a search, this goes on when the page that began it is left: the next one will want it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from plywise.web import thinking
from plywise.web.workers import Compiling, Waiting, Workers

SECONDS = 30.0
"""Besides the time for compiling."""

MOST_KEPT = 64
"""Games that are known to be ready.  Of another one a worker finds that out again, quickly: it was compiled."""

LOOK = 0.1
"""Seconds between two looks at how it goes."""


class Preparation:
    """One game being prepared, or ready."""

    def __init__(self, workers: Workers, game: str, parameters: str) -> None:
        self.text = ""
        """What is going on, as a sentence."""
        self.task = asyncio.get_running_loop().create_task(self._prepare(workers, game, parameters))

    async def _prepare(self, workers: Workers, game: str, parameters: str) -> None:
        async for message in workers.stream(thinking.prepare, game, parameters, seconds=SECONDS):
            self.text = status(message)

    async def told(self) -> AsyncIterator[str]:
        """Yield what is going on whenever that changes, until the game is ready.

        Raises:
            PlywiseError: it cannot be searched.
        """
        said = ""
        while not self.task.done():
            if self.text != said:
                said = self.text
                yield said
            await asyncio.wait({self.task}, timeout=LOOK)
        self.task.result()


class Preparations:
    """The games that are being prepared, and those that were wanted last."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._begun: dict[tuple[str, str], Preparation] = {}  # the least recently wanted first

    def of(self, game: str, parameters: str) -> Preparation:
        """Return the preparation of a game, which is begun by the first who wants it."""
        known = self._begun.pop((game, parameters), None)
        if known is None or (known.task.done() and (known.task.cancelled() or known.task.exception())):
            known = Preparation(self._workers, game, parameters)
        self._begun[game, parameters] = known
        self._forget()
        return known

    def _forget(self) -> None:
        ready = [chosen for chosen, each in self._begun.items() if each.task.done()]
        for chosen in ready[: max(0, len(self._begun) - MOST_KEPT)]:
            task = self._begun.pop(chosen).task
            if not task.cancelled():
                task.exception()  # nobody asked for it, and asyncio would complain


def status(message: object) -> str:
    """Return what the page says about a message of a worker's."""
    if isinstance(message, Waiting):
        return "Waiting: other searches are running."
    if isinstance(message, Compiling) and message.what:
        return f"Compiling {message.what}, once. This may take a minute."
    return ""
