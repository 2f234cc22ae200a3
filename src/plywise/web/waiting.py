"""Who waits for a place, such as a worker, and who comes first."""

from __future__ import annotations

import asyncio

from plywise.errors import PlywiseError

MOST_WAITING = 100
"""The most that may wait in each line, the patient and the others."""


class Busy(PlywiseError):
    """Too many jobs are waiting."""


class Queue:
    """Places, such as workers, and who waits for one: first those in a hurry, then the patient, each in order."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.waiting: dict[bool, list[asyncio.Future[None]]] = {False: [], True: []}
        """By patience."""

    def check(self, patient: bool) -> None:
        """Refuse one more if too many are waiting.

        Raises:
            Busy: too many are.
        """
        if len(self.waiting[patient]) >= MOST_WAITING:
            raise Busy("too many searches are waiting; please try again in a moment")

    def join(self, patient: bool) -> asyncio.Future[None]:
        """Stand in line; the future is done when a place is taken."""
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting[patient].append(place)
        self._serve()
        return place

    async def wait(self, place: asyncio.Future[None]) -> None:
        """Wait until a place is taken."""
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # it was taken meanwhile
                self.leave()
            raise
        finally:
            for line in self.waiting.values():
                if place in line:
                    line.remove(place)

    def leave(self) -> None:
        """Give the place to the next."""
        self.free += 1
        self._serve()

    def _serve(self) -> None:
        for line in (self.waiting[False], self.waiting[True]):
            while self.free and line:
                place = line.pop(0)
                if not place.cancelled():
                    self.free -= 1
                    place.set_result(None)
