"""Games are compiled once for all clients, and only a limited number is remembered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")

from plywise.web.preparing import MOST_KEPT, Preparations


class Recorder:
    """Instead of workers: writes down what is prepared, which lasts until ``go`` is set."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.go = asyncio.Event()

    async def stream(self, function: Any, game: str, parameters: str, seconds: float) -> AsyncIterator[Any]:
        self.begun.append(parameters)
        await self.go.wait()
        yield None


def test_a_game_is_prepared_once_and_those_wanted_long_ago_are_forgotten() -> None:
    async def scene() -> None:
        workers = Recorder()
        preparations = Preparations(workers)  # type: ignore[arg-type]

        async def ready(number: int) -> None:
            async for _ in preparations.of("mnk", str(number)).told():
                pass

        waiting = [asyncio.ensure_future(ready(number)) for number in (*range(2 * MOST_KEPT), 0)]
        await asyncio.sleep(0)
        assert len(preparations._begun) == 2 * MOST_KEPT  # none is dropped before it is ready
        workers.go.set()
        await asyncio.gather(*waiting)
        assert workers.begun == [str(number) for number in range(2 * MOST_KEPT)]
        await ready(0)  # the one wanted last
        await ready(2 * MOST_KEPT)
        assert len(preparations._begun) == MOST_KEPT
        await ready(0)
        await ready(1)
        assert workers.begun[2 * MOST_KEPT :] == [str(2 * MOST_KEPT), "1"]

    asyncio.run(scene())
