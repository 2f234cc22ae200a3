"""Compiles games while their first searches run interpreted.

Each game is compiled once for all clients, in a process of its own.  What somebody looks at comes first, the latest
request before the others.  What nobody looks at is given up as soon as another game is wanted, and otherwise after a
while.  A game in an abandoned tab also makes way, and is compiled afterwards.  Nothing finished is lost by that:
machine code is in the cache as soon as it is made.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator, Iterator

from plywise.compiling.progress import Compiling
from plywise.web import thinking
from plywise.web.workers import CompileNews, Workers

SECONDS = 30.0
"""The time limit, not counting compilation."""

PATIENCE = 60.0
"""Seconds before a game that nobody looks at is given up."""

LEFT_BEHIND = 10.0
"""Seconds without a request after which a game makes way for one that was asked for later."""

SOON = 5.0
"""A compilation with so few seconds left does not make way."""

MOST_KEPT = 64
"""How many games to remember.  A forgotten one is prepared again, quickly, from the cache."""

LOOK = 0.1
"""Seconds between two checks of the progress."""


class Preparation:
    """A game that is ready, is being compiled, or waits for that."""

    def __init__(self, game: str, parameters: str) -> None:
        self.chosen = (game, parameters)
        self.watchers = 0
        """How many clients look at it."""
        self.asked = 0.0
        """When it was last asked for, on the clock of the event loop."""
        self.ready = False
        """Whether everything is compiled, or cannot be."""
        self.error: Exception | None = None
        """Why the game cannot be searched."""
        self.news: Compiling | None = None
        """How far the compilation is.  It does not go back when the next function begins."""
        self.task: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None

    @property
    def ended(self) -> bool:
        """Whether there is nothing left to do."""
        return self.ready or self.error is not None

    def makes_way(self, now: float) -> bool:
        """Whether its compilation may be given up for a game that was asked for later."""
        if not self.watchers:
            return True
        soon = self.news is not None and self.news.left <= SOON
        return now - self.asked >= LEFT_BEHIND and not soon

    async def compile(self, workers: Workers) -> None:
        """Compile it."""
        try:
            messages = workers.stream(thinking.prepare, *self.chosen, seconds=SECONDS, kill=True)
            async with contextlib.aclosing(messages) as told:
                async for message in told:
                    if isinstance(message, CompileNews) and message.news is not None:
                        done = max(message.news.done, self.news.done if self.news else 0.0)
                        self.news = message.news._replace(done=done)
            self.ready = True
        except Exception as error:  # whatever it is, trying again at once would not help
            self.error = error


class Preparations:
    """The games that are wanted, and the most recently used ready ones.

    Args:
        workers: the processes that compile.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._known: dict[tuple[str, str], Preparation] = {}  # least recently asked for first
        self._timer: asyncio.TimerHandle | None = None

    @staticmethod
    def processes() -> int:
        """Return how many games to compile at the same time: one processor is for searching."""
        return max(1, (os.cpu_count() or 1) - 1)

    async def progress(self, game: str, parameters: str) -> AsyncGenerator[Compiling | None, None]:
        """Compile a game, and yield each new progress until it is ready; None: others come first.

        Raises:
            PlywiseError: the game cannot be searched.
        """
        with self.wanted(game, parameters) as preparation:
            said: Compiling | str | None = "nothing"
            while not preparation.ended:
                news = preparation.news if preparation.task else None
                if news != said and (news or not preparation.task):
                    said = news
                    yield news
                await asyncio.sleep(LOOK)
        if preparation.error is not None:
            raise preparation.error

    @contextlib.contextmanager
    def wanted(self, game: str, parameters: str) -> Iterator[Preparation]:
        """Compile a game while, and shortly after, the block runs."""
        known = self._known.pop((game, parameters), None)
        if known is None or known.error is not None:
            known = Preparation(game, parameters)
        self._known[game, parameters] = known
        known.watchers += 1
        known.asked = asyncio.get_running_loop().time()
        if known.timer is not None:
            known.timer.cancel()
            known.timer = None
        self._arrange()
        try:
            yield known
        finally:
            known.watchers -= 1
            if not known.watchers and not known.ended:
                known.timer = asyncio.get_running_loop().call_later(PATIENCE, self._give_up, known)
            self._arrange()

    def _arrange(self) -> None:
        """Start the most wanted compilations, and give up what keeps them waiting."""
        loop = asyncio.get_running_loop()
        wanted = [each for each in reversed(self._known.values()) if each.watchers and not each.ended]
        running = [each for each in self._known.values() if each.task is not None]
        waiting = [each for each in wanted if each.task is None]
        free = self._workers.count - len(running)
        late = waiting[max(0, free) :]
        left = [each for each in running if each.makes_way(loop.time())]  # what was left longest ago first
        for front, back in zip(late, sorted(left, key=lambda each: bool(each.watchers)), strict=False):
            if front.asked > back.asked or not back.watchers:
                self._give_up(back)  # its place becomes free when the task has ended
        if late:
            self._look_again(loop)
        for each in waiting[: max(0, free)]:
            each.task = loop.create_task(each.compile(self._workers))
            each.task.add_done_callback(lambda _, each=each: self._ended(each))  # type: ignore[misc]
        self._forget()

    def _look_again(self, loop: asyncio.AbstractEventLoop) -> None:
        """Arrange things again when what is compiled now may have been left behind."""
        if self._timer is None or self._timer.when() <= loop.time():
            self._timer = loop.call_later(LEFT_BEHIND, self._arrange)

    def _give_up(self, preparation: Preparation) -> None:
        if preparation.task is not None:
            preparation.task.cancel()

    def _ended(self, preparation: Preparation) -> None:
        preparation.task = preparation.news = None
        self._arrange()

    def _forget(self) -> None:
        idle = [each.chosen for each in self._known.values() if not each.watchers and each.task is None]
        for chosen in idle[: max(0, len(self._known) - MOST_KEPT)]:
            del self._known[chosen]
