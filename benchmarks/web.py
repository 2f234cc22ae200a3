"""Response times of the page under load: 50 sessions play Connect Four at the same time while two searches run.

Each session loads the page with its files, then posts one move after the other without a pause until its game is over.
It prints the response times of the page and of the moves.  With the default settings it writes them to
``results/web.md``.  The target is 95 % of requests within 200 ms.

python benchmarks/web.py [--sessions 50] [--searches 2] [--pause SECONDS]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime
import os
import platform
import random
import re
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterator
from pathlib import Path

import httpx

from plywise import __version__

RESULTS = Path(__file__).parent / "results" / "web.md"

SEARCH_SECONDS = 60.0


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """Start the server and yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "plywise", "serve", "--no-browser", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
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
    with serving() as address:
        report = asyncio.run(load(address, given.sessions, given.searches, given.pause))
    print("\n".join(report))
    if sys.argv[1:]:
        return
    machine = (
        f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    )
    RESULTS.write_text("\n".join(["# The page under load", "", f"{machine}, plywise {__version__}", "", *report, ""]))


if __name__ == "__main__":
    main()
