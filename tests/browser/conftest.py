"""A running server and a browser for the tests of the page.  Without Chromium or Playwright these tests are skipped.

``page`` is a fresh page.  A request to another machine, or an error on the page or in its console, fails
the test.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

GAMES = Path(__file__).parents[1] / "web" / "own_game.py"
"""Users' own games, which the server offers."""

OWN_GAMES = [f"{GAMES}:{name}" for name in ("Subtraction", "Sowing", "Slanted", "Tosses")]
OWN_GAMES += [str(GAMES.parents[1] / "own_games" / file) for file in ("kalah.py", "gomoku.py", "othello.py")]

CHROMIUM = os.environ.get("PLYWISE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a running server, without a slash at its end."""
    with serving(*OWN_GAMES, PLYWISE_INTERPRET="1") as (address, _):  # small searches need no machine code
        yield address


@contextlib.contextmanager
def serving(*games: str, **environment: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start a server; return its address and its process."""
    pytest.importorskip("uvicorn", reason="the page needs the extra web")
    pytest.importorskip("fastapi", reason="the page needs the extra web")
    command = [sys.executable, "-m", "plywise", "serve", "--no-browser", "--port", str(port := free_port())]
    command += [word for name in games for word in ("--game", name)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address, process)
        yield address, process
    finally:
        process.terminate()
        process.wait(10)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def wait_for(address: str, process: subprocess.Popen[bytes], patience: float = 30) -> None:
    deadline = time.monotonic() + patience
    while True:
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Any, server: str) -> Iterator[Callable[..., Any]]:
    """Opens the page as a browser with these properties would (``color_scheme="dark"``, ``viewport=...``)."""
    contexts, faults = [], list[str]()

    def opened(path: str = "/", **properties: Any) -> Any:
        usual = {"reduced_motion": "reduce", "accept_downloads": True}
        context = browser.new_context(base_url=server, **{**usual, **properties})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("request", lambda request: faults.extend(_leaving(request.url)))
        page.on("pageerror", lambda error: faults.append(f"error on the page: {error}"))
        page.on("console", lambda said: faults.extend(_complaint(said)))
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture
def page(open_page: Callable[..., Any]) -> Any:
    """The page, light and wide."""
    return open_page("/", color_scheme="light", viewport={"width": 1280, "height": 900})


def _complaint(said: Any) -> list[str]:
    """A refusal (422) is an answer like any other, though Chromium reports it."""
    return [f"console: {said.text}"] if said.type == "error" and "status of 422" not in said.text else []


def _leaving(url: str) -> list[str]:
    parts = urlsplit(url)
    inside = parts.scheme in ("data", "blob") or parts.hostname == "127.0.0.1"
    return [] if inside else [f"a request left the loopback address: {url}"]


class Held:
    """Holds the first requests for an address, as many as ``most``, until the test lets them go on."""

    def __init__(self, page: Any, address: str, most: int = 1) -> None:
        self.page, self.most, self.routes = page, most, list[Any]()
        page.route(address, self._take)

    def _take(self, route: Any) -> None:
        if len(self.routes) < self.most:
            self.routes.append(route)
        else:
            route.continue_()

    def wait(self, index: int = 0) -> Any:
        """Return a request that is held, as soon as it is."""
        end = time.monotonic() + 30
        while len(self.routes) <= index:
            assert time.monotonic() < end, "the page has not asked"
            self.page.wait_for_timeout(20)
        return self.routes[index]


def settle(page: Any) -> None:
    """Wait until the page has done, and asked, all that the answers so far make it do and ask."""
    page.evaluate("() => fetch('/api/play/levels').then((answer) => answer.text())")


def serious_findings(page: Any) -> list[str]:
    """Return what axe finds on the page as it is now, if it is serious or critical."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
