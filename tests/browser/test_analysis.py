"""Analysis in the Play room: the best lines, the evaluation bar, and when the search stops."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.browser.conftest import serious_findings, serving
from tests.browser.play_room import FAKED, OVER, Opener, address, played, room, tell, type_moves, wait_for_moves


def test_the_best_lines_are_shown_and_played_by_clicking(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both", start="XX./OO./...")
    page.get_by_role("button", name="Analyse").click()
    lines = page.get_by_role("list", name="Best lines").get_by_role("listitem")
    page.wait_for_function("() => document.querySelectorAll('.best-lines li').length === 3")
    lines.first.get_by_role("button", name="c3").wait_for()
    meter = page.get_by_role("meter", name="Evaluation")
    page.wait_for_function("() => document.querySelector('[role=meter]').getAttribute('aria-valuenow') === '1'")
    assert meter.get_attribute("aria-valuetext")
    page.wait_for_selector(".arrows .best")
    lines.nth(1).get_by_role("button").nth(1).click()
    wait_for_moves(page, 2)
    page.wait_for_function(
        "() => new URLSearchParams(location.hash.split('?')[1]).get('moves')?.split(' ').length === 2"
    )
    assert address(page)["analyse"] == "on"
    assert serious_findings(page) == []


def find(page: Any, depth: int, moves: str) -> None:
    """Have a faked analysis find these moves at this depth, best first."""
    lines = [{"text": "0", "proven": False, "moves": [{"text": each, "name": each}]} for each in moves.split()]
    tell(page, "lines", lines=lines, value=0, text="0", depth=depth, nodes=1, speed=1, compiled=True)
    page.wait_for_function(
        "text => document.querySelector('.figures').innerText.startsWith(text)", arg=f"depth {depth}"
    )


def wait_for_lines(page: Any, moves: str) -> None:
    script = "text => [...document.querySelectorAll('.best-lines button')].map((e) => e.textContent).join(' ') === text"
    page.wait_for_function(script, arg=moves)


def test_a_click_plays_the_move_that_is_shown(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    page.evaluate(FAKED, "/api/play/analyse")
    page.get_by_role("button", name="Analyse").click()
    find(page, 1, "a1 b2 c3")
    wait_for_lines(page, "a1 b2 c3")
    best = page.get_by_role("list", name="Best lines").get_by_role("button").first
    best.hover()
    page.mouse.down()
    find(page, 2, "b2 a1 c3")
    assert best.inner_text() == "a1"
    page.mouse.up()
    wait_for_moves(page, 1)
    assert played(page) == ["a1"]


@pytest.mark.parametrize("ended", ["pointerup", "pointercancel"])
def test_the_list_goes_on_when_a_finger_has_scrolled_it(open_page: Opener, ended: str) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    page.evaluate(FAKED, "/api/play/analyse")
    page.get_by_role("button", name="Analyse").click()
    find(page, 1, "a1 b2 c3")
    page.locator(".best-lines").dispatch_event("pointerdown")
    find(page, 2, "b2 a1 c3")
    wait_for_lines(page, "a1 b2 c3")
    page.locator(".best-lines").dispatch_event(ended)
    wait_for_lines(page, "b2 a1 c3")
    find(page, 3, "c3 b2 a1")
    wait_for_lines(page, "c3 b2 a1")


def test_the_search_stops_while_the_tab_is_hidden_and_when_analysis_ends(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both")
    ended: list[str] = []
    page.on("requestfailed", lambda request: ended.append(request.url))
    with page.expect_request("**/analyse"):
        page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".best-lines li")
    hide = """hidden => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/analyse")):
        page.evaluate(hide, True)
    with page.expect_request("**/analyse"):
        page.evaluate(hide, False)
    page.wait_for_selector(".best-lines li")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/analyse")):
        page.get_by_role("button", name="Analyse").click()
    assert page.get_by_role("list", name="Best lines").count() == 0


def test_the_search_ends_on_the_server_when_the_tab_is_closed(browser: Any) -> None:
    psutil = pytest.importorskip("psutil", reason="measures the server's workers")
    with serving(PLYWISE_INTERPRET="1") as (address, process):

        def work() -> float:
            """How long the workers have computed, in seconds."""
            return sum(sum(each.cpu_times()[:2]) for each in psutil.Process(process.pid).children(recursive=True))

        def works() -> bool:
            before = work()
            time.sleep(0.5)
            return work() - before > 0.02

        page = browser.new_page()
        page.goto(f"{address}/#play?game=chess&analyse=on")
        page.wait_for_selector(".best-lines li")
        assert works()
        page.close()
        deadline = time.monotonic() + 30
        while works():
            assert time.monotonic() < deadline


def test_both_sides_are_moved_in_analysis_and_the_search_replies_again_after_it(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe")
    page.get_by_role("button", name="Analyse").click()
    for count, square in enumerate(("a1", "b2", "c3"), 1):
        page.locator(f"[data-at={square}]").click()
        wait_for_moves(page, count)
    assert played(page) == ["a1", "b2", "c3"]
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("button", name="Resume").click()
    wait_for_moves(page, 4)


def test_analysis_says_that_the_game_is_over(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both", start="XX./OO./...")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".best-lines li")
    type_moves(page, "c3")
    page.locator(".analysis", has_text="The game is over.").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(".best-lines li")
    assert "over" not in page.locator(".analysis").inner_text()


def test_the_value_of_a_mate_is_within_the_evaluation_bar(open_page: Opener) -> None:
    page = open_page("/#play?game=chess&moves=f2f3+e7e5+g2g4+d8h4&analyse=on")
    page.wait_for_selector(OVER)
    meter = page.get_by_role("meter", name="Evaluation")
    assert meter.get_attribute("aria-valuenow") == meter.get_attribute("aria-valuemin")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_analysis_has_no_serious_findings_and_fits_a_phone(open_page: Opener, colours: str) -> None:
    page = room(open_page, "chess", side="both", color_scheme=colours, viewport={"width": 360, "height": 740})
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".best-lines li")
    for part in (".meter", ".cells", ".controls", ".best-lines", ".moves"):
        box = page.locator(part).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert serious_findings(page) == []
