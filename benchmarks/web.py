"""The page: the first reply with an empty cache, and response times under load.

The first reply is measured as the page asks for it: the game is compiled while the first move is made and answered, at
one second a move and full strength.  The target is 3 s from the click.

Under load, 50 sessions play Connect Four at the same time while two searches run.  Each session loads the page with its
files, then posts one move after the other without a pause until its game is over.  The target is 95 % of requests
within 200 ms.

With the default settings it writes the results to ``results/web.md``.

python benchmarks/web.py [--sessions 50] [--searches 2] [--pause SECONDS]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime
import json
import os
import platform
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator
from pathlib import Path

import httpx

from plywise import __version__

RESULTS = Path(__file__).parent / "results" / "web.md"

SEARCH_SECONDS = 60.0

FIRST_MOVES = {"connect-four": "4", "chess": "e2e4", "tic-tac-toe": "b2", "nim": "a1", "mnk": "b2"}
"""The games of the first replies, each with the person's move."""


@contextlib.contextmanager
def serving(**environment: str) -> Iterator[str]:
    """Start the server and yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "plywise", "serve", "--no-browser", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    address = f"http://127.0.0.1:{port}"
    try:
        while True:
            with contextlib.suppress(httpx.TransportError):
                httpx.get(address)
                break
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(10)


async def first_reply(address: str, games: list[str], look: float) -> tuple[float, bool]:
    """Look at each game for some seconds, then make a move in the last one.

    Returns the seconds until the reply, and whether it came from compiled code.
    """
    async with httpx.AsyncClient(base_url=address, timeout=300, verify=False) as client:

        async def prepare(game: str) -> None:
            async with client.stream("POST", "/api/play/prepare", json={"game": game}) as response:
                async for _ in response.aiter_lines():
                    pass

        for game in games:
            watching = asyncio.create_task(prepare(game))
            await asyncio.sleep(look)
            if game != games[-1]:
                watching.cancel()
        begun = time.perf_counter()
        order = {"game": games[-1], "moves": [FIRST_MOVES[games[-1]]]}
        (await client.post("/api/play/position", json=order)).raise_for_status()
        async with client.stream("POST", "/api/play/think", json={**order, "seconds": 1.0}) as response:
            *_, done = [line async for line in response.aiter_lines() if line]
        seconds = time.perf_counter() - begun
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        return seconds, json.loads(done.removeprefix("data: "))["compiled"]


def first_replies() -> list[str]:
    """Measure the first replies of servers with an empty cache; return a report."""
    cases = [([game], look) for game in ("connect-four", "chess") for look in (0.0, 3.0)]
    cases.append((["tic-tac-toe", "nim", "mnk", "connect-four", "chess"], 0.5))
    lines = ["| | looked at before the click | first reply | code |", "|---|--:|--:|---|"]
    for games, look in cases:
        with tempfile.TemporaryDirectory() as folder, serving(PLYWISE_CACHE_DIR=folder) as address:
            seconds, compiled = asyncio.run(first_reply(address, games, look))
        name = games[-1] if len(games) == 1 else f"{games[-1]}, after {len(games) - 1} other games"
        lines.append(f"| {name} | {look:g} s | {seconds:.1f} s | {'compiled' if compiled else 'plain Python'} |")
    return lines


async def timed(times: list[float], request: Awaitable[httpx.Response]) -> httpx.Response:
    """Await a request and record its time."""
    begun = time.perf_counter()
    response = await request
    times.append(time.perf_counter() - begun)
    return response.raise_for_status()


async def search(address: str, searching: asyncio.Event) -> None:
    """Keep a search running."""
    order = {"game": "connect-four", "seconds": SEARCH_SECONDS}
    async with httpx.AsyncClient(base_url=address, timeout=300, verify=False) as client:
        while True:
            async with client.stream("POST", "/api/play/think", json=order) as response:
                async for line in response.aiter_lines():
                    if line == "event: info":
                        searching.set()


async def session(address: str, seed: int, pause: float, pages: list[float], moves: list[float]) -> None:
    """Load the page and play a game."""
    chance = random.Random(seed)
    async with httpx.AsyncClient(base_url=address, timeout=60, verify=False) as client:
        page = await timed(pages, client.get("/"))
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
        for file in [*files, "/static/rooms/play.js", "/static/boards.js", "/static/pieces.js"]:
            await timed(pages, client.get(file))
        played: list[str] = []
        while True:
            answer = await timed(
                moves, client.post("/api/play/position", json={"game": "connect-four", "moves": played})
            )
            legal = [move["text"] for move in answer.json()["legal"]]
            if not legal:
                return
            played.append(chance.choice(legal))
            await asyncio.sleep(pause * chance.uniform(0.5, 1.5))


async def load(address: str, sessions: int, searches: int, pause: float) -> list[str]:
    """Run all sessions and searches at once; return a report."""
    events = [asyncio.Event() for _ in range(searches)]
    running = [asyncio.create_task(search(address, event)) for event in events]
    await asyncio.gather(*(event.wait() for event in events))
    pages: list[float] = []
    moves: list[float] = []
    begun = time.perf_counter()
    await asyncio.gather(*(session(address, seed, pause, pages, moves) for seed in range(sessions)))
    seconds = time.perf_counter() - begun
    assert not any(task.done() for task in running), "a search ended"
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    return [
        f"{sessions} sessions and {searches} searches, {pause:g} s between moves: "
        f"{len(pages) + len(moves):,} requests in {seconds:.1f} s.",
        "",
        "| | requests | median | p95 | worst |",
        "|---|--:|--:|--:|--:|",
        row("page and files", pages),
        row("moves", moves),
    ]


def row(name: str, times: list[float]) -> str:
    """Return response times as a row of a table."""
    figures = (statistics.median(times), statistics.quantiles(times, n=20)[-1], max(times))
    return f"| {name} | {len(times):,} | {' | '.join(f'{1e3 * figure:.0f} ms' for figure in figures)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--searches", type=int, default=2)
    parser.add_argument("--pause", type=float, default=0.0, help="average seconds between moves")
    given = parser.parse_args()
    replies = first_replies()
    print("\n".join(replies))
    with serving() as address:
        report = asyncio.run(load(address, given.sessions, given.searches, given.pause))
    print("\n".join(report))
    if sys.argv[1:]:
        return
    machine = (
        f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    )
    text = ["# The page", "", f"{machine}, plywise {__version__}", "", "## The first reply with an empty cache", "",
            "At one second a move, from the click.", "", *replies, "", "## Under load", "", *report, ""]  # fmt: skip
    RESULTS.write_text("\n".join(text))


if __name__ == "__main__":
    main()
