"""Games are compiled once for all clients, the most wanted first, and only a limited number is remembered."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")

from plywise.compiling.progress import Compiling
from plywise.errors import GameError
from plywise.web import preparing
from plywise.web.preparing import MOST_KEPT, Preparations
from plywise.web.workers import CompileNews


class Recorder:
    """Instead of workers: writes down what is begun, what is finished and what is given up."""

    def __init__(self, count: int = 1) -> None:
        self.count = count
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.given_up: list[str] = []
        self.go = asyncio.Event()

    async def stream(
        self, function: Any, game: str, parameters: str, seconds: float, kill: bool
    ) -> AsyncIterator[CompileNews]:
        assert kill
        self.begun.append(parameters)
        try:
            yield CompileNews(Compiling("it", 0.5, 3.0))
            yield CompileNews(Compiling("more", 0.1, 2.0))
            await self.go.wait()
        except (asyncio.CancelledError, GeneratorExit):
            self.given_up.append(parameters)
            raise
        if game == "wrong":
            raise GameError("this game is wrong")
        self.ended.append(parameters)


class Client:
    """Looks at a game until it is ready, or until ``leave``."""

    def __init__(self, preparations: Preparations, parameters: str, game: str = "mnk") -> None:
        self.told: list[Compiling | None] = []
        self.task = asyncio.ensure_future(self._look(preparations, game, parameters))

    async def _look(self, preparations: Preparations, game: str, parameters: str) -> None:
        async with contextlib.aclosing(preparations.progress(game, parameters)) as progress:
            async for news in progress:
                self.told.append(news)

    async def leave(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "LOOK", 0.001)


def scene(play: Callable[[Preparations, Recorder], Coroutine[Any, Any, None]], count: int = 1) -> None:
    async def run() -> None:
        workers = Recorder(count)
        await play(Preparations(workers), workers)  # type: ignore[arg-type]

    asyncio.run(run())


def test_a_game_is_compiled_once_for_all_and_the_bar_does_not_go_back() -> None:
    async def play(preparations: Preparations, workers: Recorder) -> None:
        clients = [Client(preparations, "1") for _ in range(3)]
        await asyncio.sleep(0.05)
        workers.go.set()
        await asyncio.gather(*(client.task for client in clients))
        assert workers.begun == workers.ended == ["1"]
        assert clients[0].told == [Compiling("more", 0.5, 2.0)]
        with preparations.wanted("mnk", "1") as preparation:
            assert preparation.ready
        again = Client(preparations, "1")
        await again.task
        assert (again.told, workers.begun) == ([], ["1"])

    scene(play)


def test_the_latest_comes_first_and_what_nobody_looks_at_is_given_up() -> None:
    async def play(preparations: Preparations, workers: Recorder) -> None:
        stays = Client(preparations, "stays")
        await asyncio.sleep(0.02)
        clicked = [Client(preparations, str(number)) for number in range(5)]
        await asyncio.sleep(0.02)
        assert workers.begun == ["stays"]  # somebody looks at it
        assert clicked[0].told == [None]
        for client in clicked[:4]:
            await client.leave()
        await stays.leave()
        await asyncio.sleep(0.02)
        assert (workers.begun, workers.given_up) == (["stays", "4"], ["stays"])
        back = Client(preparations, "stays")
        await asyncio.sleep(0.02)
        workers.go.set()
        await asyncio.gather(clicked[4].task, back.task)
        assert workers.ended == ["4", "stays"]

    scene(play)


def test_what_nobody_looks_at_goes_on_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "PATIENCE", 0.1)

    async def play(preparations: Preparations, workers: Recorder) -> None:
        for _ in range(3):  # reloads
            client = Client(preparations, "1")
            await asyncio.sleep(0.03)
            await client.leave()
        assert (workers.begun, workers.given_up) == (["1"], [])
        await asyncio.sleep(0.2)
        assert workers.given_up == ["1"]

    scene(play)


def test_a_game_in_a_tab_that_was_left_makes_way_and_comes_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "LEFT_BEHIND", 0.2)
    monkeypatch.setattr(preparing, "SOON", 1.0)

    async def play(preparations: Preparations, workers: Recorder) -> None:
        left = Client(preparations, "left")
        await asyncio.sleep(0.05)
        front = Client(preparations, "front")
        await asyncio.sleep(0.05)
        assert (workers.begun, workers.given_up) == (["left"], [])  # somebody may still look at it
        await asyncio.sleep(0.4)
        assert (workers.begun, workers.given_up) == (["left", "front"], ["left"])
        await asyncio.sleep(0.4)
        assert workers.begun == ["left", "front"]  # they do not take turns
        workers.go.set()
        await asyncio.gather(left.task, front.task)
        assert workers.ended == ["front", "left"]

    scene(play)


def test_a_game_that_is_played_does_not_make_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "LEFT_BEHIND", 0.2)
    monkeypatch.setattr(preparing, "SOON", 1.0)

    async def play(preparations: Preparations, workers: Recorder) -> None:
        played = Client(preparations, "played")
        await asyncio.sleep(0.05)
        other = Client(preparations, "other")
        for _ in range(12):
            with preparations.wanted("mnk", "played"):  # a move
                await asyncio.sleep(0.05)
        assert (workers.begun, workers.given_up) == (["played"], [])
        workers.go.set()
        await asyncio.gather(played.task, other.task)

    scene(play)


def test_what_is_ready_soon_does_not_make_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "LEFT_BEHIND", 0.05)

    async def play(preparations: Preparations, workers: Recorder) -> None:
        clients = [Client(preparations, name) for name in ("almost", "other")]
        await asyncio.sleep(0.3)
        assert (workers.begun, workers.given_up) == (["almost"], [])
        workers.go.set()
        await asyncio.gather(*(client.task for client in clients))

    scene(play)


def test_several_processes_compile_several_games() -> None:
    async def play(preparations: Preparations, workers: Recorder) -> None:
        clients = [Client(preparations, str(number)) for number in range(3)]
        await asyncio.sleep(0.02)
        assert workers.begun == ["0", "1"]
        workers.go.set()
        await asyncio.gather(*(client.task for client in clients))
        assert sorted(workers.ended) == ["0", "1", "2"]

    scene(play, count=2)


def test_a_wrong_game_is_an_error_and_tried_again_when_asked_again() -> None:
    async def play(preparations: Preparations, workers: Recorder) -> None:
        workers.go.set()
        for _ in range(2):
            with pytest.raises(GameError, match="this game is wrong"):
                await Client(preparations, "1", game="wrong").task
        assert workers.begun == ["1", "1"]

    scene(play)


def test_games_wanted_long_ago_are_forgotten() -> None:
    async def play(preparations: Preparations, workers: Recorder) -> None:
        workers.go.set()
        for number in range(2 * MOST_KEPT):
            await Client(preparations, str(number)).task
        assert len(preparations._known) <= MOST_KEPT + 1
        await Client(preparations, str(2 * MOST_KEPT - 1)).task
        await Client(preparations, "0").task
        assert workers.begun[2 * MOST_KEPT :] == ["0"]

    scene(play)
