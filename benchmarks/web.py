"""The page: the first reply with an empty cache, analysis, and response times under load.

The first reply is measured as the page asks for it: the game is compiled while the first move is made and answered, at
one second a move and full strength.  The target is 3 s from the click.

Analysis is measured with a warm cache, on a server that has just started: from loading the page to the first line, and
how often the lines are told after that.  The targets are 2 s, and four times a second.  If Playwright and Chromium are
installed, the first line is also timed on the screen of a browser.  Then as many analyses as there are workers run, and
a move is asked for: it must not wait for them to end.

Under load, 50 sessions play Connect Four at the same time while two analyses run.  Each session loads the page with its
files, then posts one move after the other without a pause until its game is over.  The target is 95 % of requests
within 200 ms.  Then the same happens while a large file is read, again and again.

With the default settings it writes the results to ``results/web.md``.

python benchmarks/web.py [--sessions 50] [--analyses 2] [--pause SECONDS] [--only PART]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime
import itertools
import json
import os
import platform
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Iterator
from pathlib import Path
from typing import Any

import httpx

from plywise import __version__
from plywise.games import Chess
from plywise.games.chess.pgn import format_pgn
from plywise.games.records import plain_record

RESULTS = Path(__file__).parent / "results" / "web.md"

FILES = ("/static/rooms/play.js", "/static/boards.js", "/static/pieces.js")
"""Files that the page loads with those that it names."""

IMPORTING = 3.0
"""Seconds that a worker has to import what it needs, before an analysis is measured."""

WATCHED_SECONDS = 10.0
"""How long to watch an analysis."""

LARGE_FILE = 24_000
"""The moves in the file that is read under load."""

CHROMIUM = os.environ.get("PLYWISE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

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


async def load_page(client: httpx.AsyncClient, times: list[float]) -> None:
    """Load the page and its files."""
    page = await timed(times, client.get("/"))
    for file in [*re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text), *FILES]:
        await timed(times, client.get(file))


async def events(client: httpx.AsyncClient, what: str, **order: Any) -> AsyncGenerator[tuple[str, Any], None]:
    """Yield server-sent events: their names and data."""
    name = ""
    async with client.stream("POST", f"/api/play/{what}", json=order) as response:
        response.raise_for_status()
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))


async def analyse(address: str, telling: asyncio.Event, game: str = "connect-four") -> None:
    """Keep an analysis running."""
    async with httpx.AsyncClient(base_url=address, timeout=300, verify=False) as client:
        async for name, _ in events(client, "analyse", game=game, session=f"{id(telling)}"):
            if name == "lines":
                telling.set()


async def prepare(address: str, game: str) -> None:
    """Have a game compiled, as the page does."""
    async with httpx.AsyncClient(base_url=address, timeout=600, verify=False) as client:
        async for _ in events(client, "prepare", game=game):
            pass


async def first_lines(address: str, game: str) -> tuple[float, list[float]]:
    """Open the page and analyse: return the seconds to the first line, and those between the updates that follow."""
    async with httpx.AsyncClient(base_url=address, timeout=300, verify=False) as client:
        begun = time.perf_counter()
        await load_page(client, [])
        (await client.post("/api/play/position", json={"game": game})).raise_for_status()
        moments = []
        async with contextlib.aclosing(events(client, "analyse", game=game, session="first")) as told:
            async for name, _ in told:
                if name == "lines":
                    moments.append(time.perf_counter())
                    if moments[-1] - moments[0] > WATCHED_SECONDS:
                        break
    return moments[0] - begun, [later - earlier for earlier, later in itertools.pairwise(moments)]


def first_line_on_screen(address: str, game: str) -> float | None:
    """Return the seconds from opening the page in a browser to the first line; None without one."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if CHROMIUM is None:
        return None
    with (
        sync_playwright() as driver,
        driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]) as browser,
    ):
        page = browser.new_page()
        begun = time.perf_counter()
        page.goto(f"{address}/#play?game={game}&analyse=on")
        page.wait_for_selector(".best-lines li")
        return time.perf_counter() - begun


async def moves_meanwhile(address: str, game: str, count: int) -> list[float]:
    """Return how much longer than its second a move takes, several times, while analyses run."""
    tellings = [asyncio.Event() for _ in range(count)]
    running = [asyncio.create_task(analyse(address, each, game)) for each in tellings]
    await asyncio.gather(*(each.wait() for each in tellings))
    late = []
    async with httpx.AsyncClient(base_url=address, timeout=300, verify=False) as client:
        for _ in range(5):
            begun = time.perf_counter()
            async for _event in events(client, "think", game=game, seconds=1.0, session="moves"):
                pass
            late.append(time.perf_counter() - begun - 1.0)
    await stop(running)
    return late


async def stop(running: list[asyncio.Task[None]]) -> None:
    """End what runs beside the measurement; all of it must still be running."""
    assert not any(task.done() for task in running), "an analysis ended, or a file was not read"
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


def analysis() -> list[str]:
    """Measure analyses of games whose code is in the cache; return a report."""
    lines = ["| | first line | on the screen | updates per second | longest gap | "
             "a move while analyses run, late by (median, worst) |", "|---|--:|--:|--:|--:|--:|"]  # fmt: skip
    for game in ("chess", "connect-four"):
        with serving() as address:
            asyncio.run(prepare(address, game))
        with serving() as address:
            time.sleep(IMPORTING)
            on_screen = first_line_on_screen(address, game)
        with serving() as address:
            time.sleep(IMPORTING)
            first, gaps = asyncio.run(first_lines(address, game))
            late = asyncio.run(moves_meanwhile(address, game, max(2, os.cpu_count() or 1)))
        seen = "-" if on_screen is None else f"{on_screen:.2f} s"
        lines.append(f"| {game} | {first:.2f} s | {seen} | {len(gaps) / sum(gaps):.1f} | {max(gaps):.2f} s | "
                     f"{statistics.median(late):.2f} s, {max(late):.2f} s |")  # fmt: skip
    return lines


async def session(address: str, seed: int, pause: float, pages: list[float], moves: list[float]) -> None:
    """Load the page and play a game."""
    chance = random.Random(seed)
    async with httpx.AsyncClient(base_url=address, timeout=60, verify=False) as client:
        await load_page(client, pages)
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


def large_file() -> str:
    """Return a file of chess games, the same random one again and again."""
    chess, chance = Chess(), random.Random(1)
    state, moves = chess.initial(), list[Any]()
    while len(moves) < 50:
        moves.append(chance.choice(list(chess.moves(state))))
        state = chess.play(state, moves[-1])
    return f"{format_pgn(chess, plain_record(chess.initial(), moves))}\n\n" * (LARGE_FILE // len(moves))


async def read_again(address: str, text: str, times: list[float]) -> None:
    """Have a file read, again and again."""
    async with httpx.AsyncClient(base_url=address, timeout=300, verify=False) as client:
        while True:
            await timed(times, client.post("/api/play/read", json={"game": "chess", "text": text}))


async def load(address: str, sessions: int, analyses: int, pause: float, reading: bool = False) -> list[str]:
    """Run all sessions and analyses at once, perhaps while a large file is read; return a report."""
    tellings = [asyncio.Event() for _ in range(analyses)]
    running = [asyncio.create_task(analyse(address, each)) for each in tellings]
    await asyncio.gather(*(each.wait() for each in tellings))
    pages: list[float] = []
    moves: list[float] = []
    reads: list[float] = []
    if reading:
        running.append(asyncio.create_task(read_again(address, large_file(), reads)))
    begun = time.perf_counter()
    while not pages or (reading and not reads):
        await asyncio.gather(*(session(address, seed, pause, pages, moves) for seed in range(sessions)))
    seconds = time.perf_counter() - begun
    await stop(running)
    meanwhile = f" A file of {LARGE_FILE:,} moves was read meanwhile, in {reads[0]:.1f} s." if reads else ""
    return [
        f"{sessions} sessions and {analyses} analyses, {pause:g} s between moves: "
        f"{len(pages) + len(moves):,} requests in {seconds:.1f} s.{meanwhile}",
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
    parser.add_argument("--analyses", type=int, default=2)
    parser.add_argument("--pause", type=float, default=0.0, help="average seconds between moves")
    parser.add_argument("--only", choices=("replies", "analysis", "load"), help="measure only this")
    given = parser.parse_args()
    wanted = [given.only] if given.only else ["replies", "analysis", "load"]
    replies = first_replies() if "replies" in wanted else []
    print("\n".join(replies))
    lines = analysis() if "analysis" in wanted else []
    print("\n".join(lines))
    report = []
    if "load" in wanted:
        for reading in (False, True):
            with serving() as address:
                report += ["", *asyncio.run(load(address, given.sessions, given.analyses, given.pause, reading))]
    print("\n".join(report))
    if sys.argv[1:]:
        return
    machine = (
        f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    )
    text = ["# The page", "", f"{machine}, plywise {__version__}", "", "## The first reply with an empty cache", "",
            "At one second a move, from the click.", "", *replies, "", "## Analysis with a warm cache", "",
            "From loading the page.", "", *lines, "", "## Under load", *report, ""]  # fmt: skip
    RESULTS.write_text("\n".join(text))


if __name__ == "__main__":
    main()
