"""Nobody waits for the compiler: with an empty cache the page answers in plain Python, and changes over later."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.browser.conftest import serious_findings, serving

Opener = Callable[..., Any]

A_WHILE = 180_000
"""Milliseconds for a compilation on a busy machine."""


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """An empty cache."""
    return tmp_path / "machine-code"


@pytest.fixture
def server(cache: Path) -> Iterator[str]:
    """A server that has compiled nothing."""
    with serving(PLYWISE_CACHE_DIR=str(cache), PLYWISE_INTERPRET="0") as (address, _):
        yield address


def compiled(cache: Path) -> set[str]:
    """Return the games for which something was compiled."""
    file = cache / "compile-times.json"
    return {entry.rpartition(" ")[2] for entry in json.loads(file.read_text())} if file.exists() else set()


def wait_for_moves(page: Any, count: int) -> None:
    page.locator(".moves .move").nth(count - 1).wait_for(timeout=A_WHILE)


def share(page: Any) -> float:
    return float(page.locator(".making progress").get_attribute("value"))


def test_connect_four_answers_at_once_and_changes_over(open_page: Opener, cache: Path) -> None:
    page = open_page("/#play?game=connect-four")
    page.locator(".column").nth(3).click()
    wait_for_moves(page, 2)
    assert "ConnectFour" not in compiled(cache)
    line = page.locator(".making")
    line.wait_for()
    assert re.fullmatch(r"The fast code is being made: \d+ %, about \d+ s left\.", line.inner_text().strip())
    assert not serious_findings(page)
    before = share(page)
    while share(page) <= before:
        time.sleep(0.05)
    line.get_by_text("The fast code is ready.").wait_for(timeout=A_WHILE)
    assert "ConnectFour" in compiled(cache)
    line.wait_for(state="hidden")
    slow = int(page.locator(".facts dd").nth(2).inner_text().replace(",", ""))
    page.locator(".column").nth(3).click()
    wait_for_moves(page, 4)
    fast = int(page.locator(".facts dd").nth(2).inner_text().replace(",", ""))
    assert fast > 5 * slow
    assert line.is_hidden()


def test_chess_answers_at_once_after_a_walk_through_five_games(open_page: Opener, cache: Path) -> None:
    page = open_page("/#play?game=tic-tac-toe")
    page.locator(".cell.free").first.wait_for()
    for game in ("mnk", "nim", "connect-four", "chess"):
        page.locator("select[name=game]").select_option(game)
        time.sleep(0.5)
    page.locator("[data-at=e2]").click()
    page.locator("[data-at=e4]").click()
    wait_for_moves(page, 2)  # at one second a move; benchmarks/web.py measures it
    page.locator(".making progress").wait_for()  # some rules may be there, but not all
    page.locator(".making").get_by_text("The fast code is ready.").wait_for(timeout=A_WHILE)
    assert "Chess" in compiled(cache)


def prepared(address: str, game: str, enough: Callable[[float], bool] = lambda share: False) -> bool:
    """Prepare a game until this share is done; return whether it is ready."""
    with httpx.stream("POST", f"{address}/api/play/prepare", json={"game": game}, timeout=A_WHILE) as response:
        for line in response.iter_lines():
            if line == "event: done":
                return True
            if line.startswith("data: ") and enough(json.loads(line[6:]).get("share") or 0.0):
                return False
    raise AssertionError("the server said nothing")


def test_a_server_that_is_killed_loses_only_what_was_under_way(cache: Path) -> None:
    setting = {"PLYWISE_CACHE_DIR": str(cache), "PLYWISE_INTERPRET": "0"}
    with serving(**setting) as (address, process):
        assert prepared(address, "red-blue")
        finished = {file: file.read_bytes() for file in cache.glob("*.machinecode")}
        assert finished
        assert not prepared(address, "chess", lambda share: share > 0.1)
        process.kill()
        process.wait()
    assert {file: file.read_bytes() for file in finished} == finished
    with serving(**setting) as (address, _):
        began = time.monotonic()
        assert prepared(address, "red-blue", lambda share: True)  # from the cache, without progress to tell
        assert prepared(address, "chess")  # the dead server holds no lock
        assert time.monotonic() - began < A_WHILE / 1000
    assert set(cache.glob("*.machinecode")) > set(finished)
    assert not list(cache.glob("*.lock"))
