"""Compiles each game once for all clients: later requests wait for the same compilation.

Unlike a search, a compilation goes on when its client disconnects, because the next client will need it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from plywise.web import thinking
from plywise.web.workers import Compiling, Waiting, Workers

SECONDS = 30.0
"""The time limit, not counting compilation."""

MOST_KEPT = 64
"""How many ready games to remember.  A forgotten one is prepared again, quickly, from the cache."""

LOOK = 0.1
"""Seconds between two checks of the progress."""


class Preparation:
    """A game that is being compiled, or is ready."""

    def __init__(self, workers: Workers, game: str, parameters: str) -> None:
        self.text = ""
        """The current status, as a sentence."""
        self.task = asyncio.get_running_loop().create_task(self._prepare(workers, game, parameters))

    async def _prepare(self, workers: Workers, game: str, parameters: str) -> None:
        async for message in workers.stream(thinking.prepare, game, parameters, seconds=SECONDS):
            self.text = status(message)

    async def told(self) -> AsyncIterator[str]:
        """Yield each new status until the game is ready.

        Raises:
            PlywiseError: the game cannot be searched.
        """
        said = ""
        while not self.task.done():
            if self.text != said:
                said = self.text
                yield said
            await asyncio.wait({self.task}, timeout=LOOK)
        self.task.result()


class Preparations:
    """The games that are being prepared, and the most recently used ready ones."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._begun: dict[tuple[str, str], Preparation] = {}  # least recently used first

    def of(self, game: str, parameters: str) -> Preparation:
        """Return the preparation of a game.  The first request starts it."""
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
                task.exception()  # retrieve it, or asyncio would log an error


def status(message: object) -> str:
    """Return the status text for a message from a worker."""
    if isinstance(message, Waiting):
        return "Waiting for other searches to finish."
    if isinstance(message, Compiling) and message.what:
        return f"Compiling {message.what}. This happens once and may take a minute."
    return ""
