"""The Play room as a player and an analyst use it: best lines, variations, addresses, clocks, resigning, reviews."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.browser.conftest import Held, serious_findings, serving, settle
from tests.browser.test_play import OVER, in_window, played, room, type_moves, wait_for_moves, wait_for_turn

Opener = Callable[..., Any]


def address(page: Any) -> dict[str, str]:
    """Return the parameters of the address."""
    return {name: values[0] for name, values in parse_qs(page.url.partition("#play?")[2]).items()}


def wait_for_address(page: Any, **wanted: str | None) -> None:
    script = """wanted => {
      const params = new URLSearchParams(location.hash.split("?")[1]);
      return Object.entries(wanted).every(([name, value]) => params.get(name) === value);
    }"""
    page.wait_for_function(script, arg=wanted)


def choose_clock(page: Any, clock: str) -> None:
    page.get_by_text("Set up a position").click()
    page.get_by_label("Clock").select_option(clock)


def focused(page: Any) -> str:
    """Return the text or the name of what has the focus."""
    return page.evaluate("() => document.activeElement.name || document.activeElement.textContent")


# Beginning ----------------------------------------------------------------------------------------------------------


def test_a_game_chosen_while_the_page_loads_is_the_one_that_is_played(open_page: Opener) -> None:
    page = room(open_page, "chess")
    held = Held(page, "**/api/play/position")
    page.goto("/?again#play?game=chess&moves=e2e4")
    late = held.wait()
    page.locator("select[name=game]").select_option("nim")
    wait_for_address(page, game="nim")
    with page.expect_response("**/api/play/position"):
        late.continue_()
    settle(page)
    assert address(page)["game"] == "nim"
    assert page.locator("select[name=game]").input_value() == "nim"


def test_a_game_that_is_refused_after_the_room_was_left_starts_nothing(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both", more="&analyse=on")
    page.wait_for_selector(".best-lines li")
    held = Held(page, "**/api/play/position")
    page.get_by_role("button", name="New game").click()
    late = held.wait()
    page.locator("nav a[href='#quiz']").click()
    page.wait_for_selector(".quiz-figure")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    with page.expect_response("**/api/play/position"):
        late.fulfill(status=422, json={"detail": "no"})
    settle(page)
    assert "analyse" not in asked


def test_the_focus_stays_in_the_form_when_a_game_begins(open_page: Opener) -> None:
    page = room(open_page, "nim", side="both")
    page.get_by_role("button", name="New game").press("Enter")
    settle(page)
    assert focused(page) == "New game"
    with page.expect_response("**/api/play/position"):
        page.locator("select[name=game]").press("ArrowDown")
    settle(page)
    assert focused(page) == "game"
    page.locator("select[name=game]").select_option("tic-tac-toe")
    wait_for_address(page, game="tic-tac-toe")
    page.get_by_text("Set up a position").click()
    page.get_by_label("Position as text").fill("X../.../...")
    page.get_by_label("Position as text").press("Enter")
    page.wait_for_selector("[data-at=a3][aria-label='a3, X']")
    assert focused(page) == "start"


def test_a_notice_goes_with_the_game_that_it_is_about(open_page: Opener) -> None:
    page = open_page("/#play?game=tic-tac-toe&position=zz")
    page.locator(".notice", has_text="Showing the usual start instead.").wait_for()
    page.locator("[data-at=b2]").click()
    wait_for_moves(page, 2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_function("() => !document.querySelector('.notice').textContent")


# Analysis -----------------------------------------------------------------------------------------------------------


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


FAKED = """(faked) => {
  const fetched = window.fetch;
  window.fetch = (path, request) => {
    if (path !== faked) return fetched(path, request);
    const body = new ReadableStream({ start(stream) {
      window.tell = (name, data) => {
        stream.enqueue(new TextEncoder().encode(`event: ${name}\\ndata: ${JSON.stringify(data)}\\n\\n`));
      };
    } });
    return Promise.resolve(new Response(body));
  };
}"""
"""Puts a stream of one's own in the place of a search: ``tell`` sends an event."""


def tell(page: Any, name: str, /, **data: Any) -> None:
    """Send an event of a faked search, as soon as the page listens."""
    page.wait_for_function("() => window.tell")
    page.evaluate("([name, data]) => window.tell(name, data)", [name, data])


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


# The list of moves and the address ----------------------------------------------------------------------------------


def test_variations_are_kept_and_walked_through(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both")
    type_moves(page, "e4", "e5", "Nf3", "Nc6")
    page.get_by_role("link", name="e5", exact=True).click()
    wait_for_address(page, moves="e2e4 e7e5")
    type_moves(page, "f4", "exf4")
    assert " ".join(page.locator(".moves").inner_text().split()) == "1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6"
    page.locator("h1").evaluate("() => document.activeElement.blur()")
    for key, there in [
        ("ArrowLeft", "f4"), ("ArrowUp", "Nf3"), ("ArrowRight", "Nc6"), ("ArrowLeft", "Nf3"), ("ArrowDown", "f4"),
        ("End", "exf4"),
    ]:  # fmt: skip
        page.keyboard.press(key)
        page.wait_for_function(
            "name => document.querySelector('.moves [aria-current]')?.textContent === name", arg=there
        )
    page.keyboard.press("Home")
    wait_for_address(page, moves=None)
    page.reload()
    wait_for_moves(page, 6)
    assert page.locator(".moves .variation").count() == 1


def test_arrow_keys_walk_after_a_click_on_the_board_and_move_between_squares_after_a_tab(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    page.locator("[data-at=b2]").click()
    wait_for_moves(page, 1)
    page.keyboard.press("ArrowLeft")
    wait_for_address(page, moves=None)
    page.locator("[data-at=a2]").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.at") == "b2"
    assert "moves" not in address(page)


def walk(page: Any, key: str, times: int) -> None:
    """Hold an arrow key: each move follows as soon as the one before is on the board."""
    script = """async ([key, times]) => {
      const on = () => document.querySelector(".moves [aria-current]").textContent;
      for (let count = 0; count < times; count++) {
        const before = on();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        while (on() === before) await new Promise((done) => setTimeout(done));
      }
    }"""
    page.evaluate(script, [key, times])


def test_the_address_is_right_soon_after_many_steps(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    open_text(page, "1. a1 b1 2. c1 a2 3. b2 c2 4. b3 a3")
    wait_for_moves(page, 8)
    for _ in range(10):
        walk(page, "ArrowLeft", 7)
        walk(page, "ArrowRight", 7)
    walk(page, "ArrowLeft", 5)
    script = "() => new URLSearchParams(location.hash.split('?')[1]).get('moves') === 'a1 b1 c1'"
    page.wait_for_function(script, timeout=2000)


def test_the_game_is_kept_wherever_in_it_the_address_leads(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    open_text(page, "1. b2 a1 (1... b1 2. c1) 2. a2 c3")
    wait_for_moves(page, 6)
    page.evaluate("() => { location.hash = '#play?game=tic-tac-toe&moves=b2+b1'; }")
    wait_for_moves(page, 6)
    assert page.locator(".moves [aria-current]").inner_text() == "b1"
    page.evaluate("() => { location.hash = '#play?game=tic-tac-toe&moves=b2+b3'; }")  # not in it
    page.wait_for_function("() => document.querySelectorAll('.moves .move').length === 2")


def test_a_game_that_is_left_at_once_is_found_as_it_was(open_page: Opener) -> None:
    page = open_page("/#play?game=tic-tac-toe")
    page.wait_for_selector(".board")
    open_text(page, "1. b2 a1 (1... b1 2. c1) 2. a2 c3")
    wait_for_moves(page, 6)
    walk(page, "ArrowLeft", 3)
    page.evaluate("() => document.querySelector(`nav a[href='#quiz']`).click()")  # before the address is changed
    page.wait_for_selector(".quiz-figure .leaf")
    page.go_back()
    wait_for_moves(page, 6)
    assert page.locator(".moves [aria-current]").inner_text() == "b2"
    wait_for_address(page, moves="b2")


def test_a_link_shows_the_same_position_to_somebody_else(open_page: Opener) -> None:
    page = room(open_page, "backgammon", side="both", more="&seed=7")
    page.locator(".cell.origin").first.click()
    page.locator(".cell.target").first.click()
    wait_for_moves(page, 1)
    page.wait_for_function("() => location.hash.includes('moves=')")
    moves = played(page)
    other = open_page(f"/#play?{page.url.partition('#play?')[2]}")
    wait_for_moves(other, 1)
    assert played(other) == moves
    assert address(other) == address(page)


def test_the_address_names_the_game_that_is_chosen(open_page: Opener) -> None:
    page = room(open_page, "nim", side="both")
    page.locator("select[name=game]").select_option("tic-tac-toe")
    wait_for_address(page, game="tic-tac-toe")


def open_text(page: Any, text: str) -> None:
    page.get_by_role("button", name="Open", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Paste games").fill(text)
    dialog.get_by_role("button", name="Read").click()
    dialog.wait_for(state="hidden")


def test_a_file_keeps_its_main_line_and_its_comments_even_in_a_review(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    open_text(page, "1. b2 {the middle} (1. b2 {again} b1) a1 2. a2 c3")
    page.locator(".moves .variation").wait_for()
    assert page.locator(".moves [aria-current]").inner_text().startswith("c3")
    wanted = "1. b2 the middle again a1 (1... b1) 2. a2 c3"
    page.wait_for_function(
        "text => document.querySelector('.moves').innerText.replace(/\\s+/g, ' ').trim() === text", arg=wanted
    )
    page.get_by_role("button", name="Review").click()
    page.locator(".moves .judged").first.wait_for()
    assert "the middle" in page.locator(".moves").inner_text()


def test_numbers_stay_with_their_moves_and_brackets_with_their_lines(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both", viewport={"width": 360, "height": 740})
    line = "1. e4 (1. d4 {solid} (1. c4 $1) (1. d4 $2 {as before} d5 {too})) e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6"
    open_text(page, line)
    wait_for_moves(page, 11)
    wanted = "1. e4 (1. d4? solid as before d5 too) (1. c4!) 1... e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6"
    page.wait_for_function(
        "text => document.querySelector('.moves').innerText.replace(/\\s+/g, ' ').trim() === text", arg=wanted
    )
    lines = "each => new Set([...each.getClientRects()].map(({ bottom }) => Math.round(bottom / 10))).size"
    assert {each.evaluate(lines) for each in page.locator(".moves .numbered").all()} == {1}


def test_the_focus_stays_on_a_move_in_the_list(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    open_text(page, "1. b2 a1 (1... b1) 2. a2 c3")
    wait_for_moves(page, 5)
    page.get_by_role("link", name="a1", exact=True).press("Enter")
    wait_for_address(page, moves="b2 a1")
    assert focused(page) == "a1"
    page.keyboard.press("ArrowRight")  # the move on the board is another one now
    wait_for_address(page, moves="b2 a1 a2")
    assert focused(page) == "a2"
    page.get_by_role("button", name="Review").click()
    page.get_by_role("link", name="b1", exact=True).focus()
    page.locator(".record .remark", has_text="the best.").wait_for()
    assert focused(page).startswith("b1")
    page.get_by_role("button", name="New game").press("Enter")
    page.locator(".moves", has_text="No moves yet.").wait_for()
    assert focused(page) == "New game"


def test_a_game_that_cannot_be_opened_changes_nothing(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    refuse = {"status": 422, "content_type": "application/json", "body": '{"detail": "no"}'}
    page.route("**/api/play/position", lambda route: route.fulfill(**refuse))
    open_text(page, "X../.../...")
    page.get_by_role("alert").filter(has_text="No.").wait_for()
    page.unroute("**/api/play/position")
    page.locator("[data-at=a3]").click()
    wait_for_moves(page, 1)
    wait_for_address(page, game="tic-tac-toe", position=None)


def test_an_address_whose_moves_cannot_be_read_opens_the_usual_start(open_page: Opener) -> None:
    page = open_page("/#play?game=tic-tac-toe&moves=%25zz")
    page.get_by_text("The moves in this address cannot be read. Showing the usual start instead.").wait_for()
    assert page.locator(".cell.free").count() == 9


def test_undo_takes_no_variations_away(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    open_text(page, "1. b2 a1 (1... b1 2. c1) 2. a2 c3")
    wait_for_moves(page, 6)
    page.get_by_label("You play").select_option("X")
    for left in ("b2 a1", None):  # the first leads nowhere else
        page.get_by_role("button", name="Undo").click()
        wait_for_address(page, moves=left)
    assert played(page) == ["b2", "a1", "b1", "c1"]


def test_undo_before_the_end_of_a_line_only_goes_back(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    type_moves(page, "a1", "b2", "c3")
    page.get_by_role("link", name="b2", exact=True).click()
    wait_for_address(page, moves="a1 b2")
    page.get_by_role("button", name="Undo").click()
    wait_for_address(page, moves="a1")
    assert played(page) == ["a1", "b2", "c3"]


# Playing ------------------------------------------------------------------------------------------------------------


def timed(open_page: Opener, **properties: Any) -> Any:
    """Return a page with a game against a running clock."""
    page = room(open_page, "tic-tac-toe", **properties)
    choose_clock(page, "3+2")
    page.get_by_role("button", name="New game").click()
    page.locator(".time.running").wait_for()
    return page


def resigned(open_page: Opener, **properties: Any) -> Any:
    """Return a page with a game that X has resigned after the first reply."""
    page = room(open_page, "tic-tac-toe", **properties)
    page.locator("[data-at=b2]").click()
    wait_for_moves(page, 2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.wait_for_selector(OVER)
    return page


def test_a_game_is_resigned_and_played_again_with_the_other_side(open_page: Opener) -> None:
    page = resigned(open_page)
    assert page.locator(".turn").inner_text() == "You resigned: O wins."
    page.get_by_role("button", name="Rematch").click()
    page.locator(".turn", has_text="Your move: you are O").wait_for()
    assert len(played(page)) == 1


def test_a_game_that_was_resigned_can_be_analysed(open_page: Opener) -> None:
    page = resigned(open_page)
    page.get_by_role("button", name="Analyse").click()
    page.locator(".cell.free").first.click()
    wait_for_moves(page, 3)


def test_a_variation_does_not_undo_a_resignation(open_page: Opener) -> None:
    page = resigned(open_page)
    page.locator(".moves .move").first.click()
    page.keyboard.press("ArrowLeft")
    wait_for_address(page, moves=None)
    page.locator("[data-at=a1]").click()
    wait_for_moves(page, 4)
    page.locator(".moves .move").last.click()  # behind the variation
    page.wait_for_selector(OVER)
    assert page.locator(".turn").inner_text() == "You resigned: O wins."


def test_a_move_under_way_does_not_undo_a_resignation(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe")
    page.locator("[data-at=b2]").click()
    wait_for_moves(page, 2)
    wait_for_turn(page)
    held = Held(page, "**/api/play/position")
    page.locator(".cell.free").first.click()
    late = held.wait()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.wait_for_selector(OVER)
    with page.expect_response("**/api/play/position"):
        late.continue_()
    settle(page)
    assert page.locator(".turn").inner_text() == "You resigned: O wins."


def test_a_move_of_the_search_that_is_refused_is_tried_again_by_resuming(open_page: Opener) -> None:
    page = timed(open_page)

    def refuse(route: Any) -> None:
        if len(route.request.post_data_json["moves"]) == 2:  # the reply
            route.fulfill(status=422, json={"detail": "no"})
        else:
            route.continue_()

    page.route("**/api/play/position", refuse)
    page.locator("[data-at=b2]").click()
    page.get_by_role("alert").filter(has_text="No.").wait_for()
    assert page.locator(".turn").inner_text() == "O to move: Resume lets the search play"
    assert page.locator(".time.running").count() == 0
    page.unroute("**/api/play/position")
    page.get_by_role("button", name="Resume").click()
    wait_for_moves(page, 2)


def test_a_clock_goes_on_after_a_reload(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe")
    page.clock.install()
    choose_clock(page, "1+0")
    page.get_by_role("button", name="New game").click()
    mine = page.get_by_role("timer", name="Time of X")
    mine.wait_for()
    page.clock.run_for(3_000)
    assert mine.inner_text() == "0:57"
    page.reload()
    mine.wait_for()
    assert mine.inner_text() == "0:57"
    page.clock.run_for(2_000)
    assert mine.inner_text() == "0:55"


def test_a_game_without_a_clock_gets_none_by_a_reload(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    choose_clock(page, "3+2")  # for the next game
    open_text(page, "1. b2 a1")
    wait_for_moves(page, 2)
    page.keyboard.press("Home")
    wait_for_address(page, moves=None)
    page.reload()
    wait_for_moves(page, 2)
    assert page.get_by_role("timer").count() == 0
    assert page.get_by_role("button", name="Analyse").is_enabled()
    page.get_by_role("button", name="New game").click()
    page.get_by_role("timer").first.wait_for()


def test_a_clock_runs_and_ends_the_game(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe")
    page.clock.install()
    choose_clock(page, "1+0")
    page.get_by_role("button", name="New game").click()
    mine = page.get_by_role("timer", name="Time of X")
    mine.wait_for()
    page.clock.run_for(5_000)
    assert mine.inner_text() == "0:55"
    page.clock.run_for(50_500)
    assert re.fullmatch(r"0:04\.\d", mine.inner_text())
    page.clock.run_for(5_000)
    page.wait_for_selector(OVER)
    assert page.locator(".turn").inner_text() == "You lost on time."
    assert page.locator(".cell.free").count() == 0


def test_the_clock_of_the_search_runs_while_it_thinks_and_an_undo_gives_time_back(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe")
    page.clock.install()
    choose_clock(page, "3+2")
    page.get_by_role("button", name="New game").click()
    mine, other = (page.get_by_role("timer", name=f"Time of {name}") for name in "XO")
    mine.wait_for()
    page.clock.run_for(10_000)
    held = Held(page, "**/api/play/think")
    page.locator("[data-at=b2]").click()
    reply = held.wait()
    page.clock.run_for(20_000)
    assert (mine.inner_text(), other.inner_text()) == ("2:52", "2:40")
    reply.continue_()
    while len(played(page)) < 2:
        page.clock.run_for(10)  # the reply comes by a timer
    assert other.inner_text() == "2:42"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('.moves .move').length === 0")
    assert (mine.inner_text(), other.inner_text()) == ("3:00", "3:00")


def test_nothing_helps_while_a_clock_runs(open_page: Opener) -> None:
    page = timed(open_page)
    page.locator("[data-at=b2]").click()
    wait_for_moves(page, 2)
    wait_for_turn(page)
    helps = [page.get_by_role("button", name=name) for name in ("Hint", "Analyse", "Why?", "Review")]
    assert [each.is_disabled() for each in helps] == [True] * 4
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.wait_for_selector(OVER)
    assert [each.is_disabled() for each in helps[1:]] == [False] * 3


def test_the_page_says_why_nothing_can_be_done_on_the_turn_of_the_search(open_page: Opener) -> None:
    page = timed(open_page)
    held = Held(page, "**/api/play/think")
    page.locator("[data-at=b2]").click()
    reply = held.wait()
    page.get_by_label("Type a move").fill("a1")
    page.get_by_label("Type a move").press("Enter")
    says = page.locator(".says .error")
    assert says.inner_text() == "It is not your turn: O is to move."
    page.keyboard.press("Escape")
    page.locator("h1").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    assert says.inner_text() == "Wait for the search to move: its clock is running."
    reply.continue_()
    wait_for_moves(page, 2)
    assert says.inner_text() == ""


def test_the_time_per_move_is_shown_only_where_it_counts(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe")
    time = page.get_by_label("Time per move")
    assert time.is_hidden()
    page.get_by_label("Strength").select_option("Full strength")
    assert time.is_visible()
    choose_clock(page, "3+2")
    assert time.is_hidden()


def test_move_now_takes_the_place_of_the_hint_so_that_nothing_moves(open_page: Opener) -> None:
    page = room(open_page, "chess")
    page.get_by_label("Strength").select_option("Full strength")
    page.get_by_label("Time per move").select_option("10 seconds")
    before = [page.locator(each).bounding_box()["height"] for each in (".controls", ".board")]
    page.locator("[data-at=e2]").click()
    page.locator("[data-at=e4]").click()
    page.get_by_role("button", name="Move now").wait_for()
    assert [page.locator(each).bounding_box()["height"] for each in (".controls", ".board")] == before
    page.get_by_role("button", name="Move now").click()
    wait_for_moves(page, 2)


def test_move_now_plays_while_the_game_is_compiled(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe")
    page.evaluate(FAKED, "/api/play/think")
    page.locator("[data-at=b2]").click()
    tell(page, "info", move="a1", name="a1", line=["a1"])  # at a glance
    tell(page, "status", text="Compiling the search.")
    page.get_by_text("Compiling the search.").wait_for()
    page.get_by_role("button", name="Move now").click()
    wait_for_moves(page, 2)
    assert played(page) == ["b2", "a1"]


def test_move_now_waits_for_the_first_move(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe")
    page.evaluate(FAKED, "/api/play/think")
    page.locator("[data-at=b2]").click()
    tell(page, "status", text="Waiting for other searches to finish.")
    page.get_by_role("button", name="Move now").click()
    page.get_by_text("Moving as soon as there is a move").wait_for()
    tell(page, "info", move="c3", name="c3", line=["c3"])
    wait_for_moves(page, 2)
    assert played(page) == ["b2", "c3"]


# A game of one's own ------------------------------------------------------------------------------------------------


def test_a_game_of_ones_own_goes_through_all_rooms(open_page: Opener) -> None:
    page = room(open_page, "Othello", side="both")
    page.locator(".cell.free").first.click()
    wait_for_moves(page, 1)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".best-lines li")
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("button", name="Edit board").click()
    editor = page.get_by_role("dialog")
    editor.locator("[data-at=a1]").click()
    editor.get_by_role("button", name="Use this position").click()
    page.wait_for_selector("[data-at=a1][aria-label='a1, black disc']")
    page.wait_for_function("() => location.hash.includes('position=')")
    page.get_by_role("button", name="Why?").click()
    page.wait_for_selector(".explain-stage svg")


# Reviews ------------------------------------------------------------------------------------------------------------


def test_a_review_marks_the_move_that_lost_and_says_what_was_better(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both", start="X.../...")
    page.goto("/?more#play?game=tic-tac-toe&moves=b2+a1+c3+b1+c1+a3")  # b1 threatens to win; a3 does not block c-file
    wait_for_moves(page, 6)
    page.get_by_role("button", name="Review").click()
    page.wait_for_selector(".moves .judged")
    page.get_by_role("button", name="Review").wait_for()
    judged = page.locator(".moves .judged").first
    judged.click()
    page.locator(".remark", has_text="est was").wait_for()
    assert page.locator(".chart .judged").count() >= 1
    assert serious_findings(page) == []


def reviewed(open_page: Opener, **properties: Any) -> Any:
    """Return a page that has reviewed a game of chess in which Black moves into a mate, at this move."""
    page = room(open_page, "chess", side="both", more="&moves=e2e4+e7e5+d1h5+e8e7+h5e5", **properties)
    wait_for_moves(page, 5)
    page.get_by_role("button", name="Review").click()
    page.locator(".record .remark", has_text="the best.").wait_for()
    page.get_by_role("link", name="Ke7, blunder").click()
    wait_for_address(page, moves="e2e4 e7e5 d1h5 e8e7")
    page.locator(".says .remark", has_text="Best was").wait_for()
    return page


def test_the_better_move_is_an_arrow_and_becomes_a_variation_by_a_click(open_page: Opener) -> None:
    page = reviewed(open_page)
    better = page.locator(".says .remark").get_by_role("button")
    name = better.inner_text()
    assert page.locator(".arrows .better").count() == 1
    assert serious_findings(page) == []
    better.click()
    page.wait_for_function("name => document.querySelector('.moves [aria-current]')?.textContent === name", arg=name)
    assert page.locator(".moves .variation").inner_text() == f"(2... {name})"
    assert address(page)["moves"].startswith("e2e4 e7e5 d1h5 ")
    assert page.locator(".turn").inner_text() == "White to move"
    assert page.locator(".arrows .better").count() == 0
    assert page.locator(".says .remark").inner_text() == ""
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(".arrows .better")


def test_a_better_move_that_cannot_be_shown_leaves_the_variations_alone(open_page: Opener) -> None:
    page = reviewed(open_page)
    page.locator(".says .remark").get_by_role("button").click()
    wait_for_moves(page, 6)
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(".arrows .better")
    page.reload()
    wait_for_moves(page, 6)
    refuse = {"status": 422, "content_type": "application/json", "body": '{"detail": "no"}'}
    page.route("**/api/play/position", lambda route: route.fulfill(**refuse))
    page.locator(".says .remark").get_by_role("button").click()
    page.get_by_text("No.", exact=True).wait_for()
    page.unroute("**/api/play/position")
    page.keyboard.press("ArrowRight")
    wait_for_address(page, moves="e2e4 e7e5 d1h5 e8e7 h5e5")
    assert len(played(page)) == 6


def test_a_review_of_a_variation_says_so(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    open_text(page, "1. b2 a1 (1... b1) 2. a2 c2")
    wait_for_moves(page, 5)
    said = page.locator(".record .remark", has_text="the best.")
    page.get_by_role("button", name="Review").click()
    said.wait_for()
    assert said.inner_text().startswith("X: ")
    page.get_by_role("link", name="b1", exact=True).click()
    wait_for_address(page, moves="b2 b1")
    page.get_by_role("button", name="Review").click()
    page.locator(".record .remark", has_text="Variation with b1. X: ").wait_for()


def test_the_summary_of_a_review_goes_when_its_line_is_another(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    open_text(page, "1. b2 a1")
    wait_for_moves(page, 2)
    page.get_by_role("button", name="Review").click()
    said = page.locator(".record .remark[role=status]")
    page.locator(".record .remark", has_text="the best.").wait_for()
    one = r"no mistakes; [01] of 1 move was the best\."
    assert re.fullmatch(f"X: {one} O: {one}", said.inner_text())
    type_moves(page, "b1")
    assert said.inner_text() == ""
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('.moves .move').length === 2")
    assert said.inner_text().startswith("X: ")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('.moves .move').length === 1")
    assert said.inner_text() == ""


def test_a_chart_counts_its_mistakes(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both", more="&moves=b2+b1")  # a corner was better
    wait_for_moves(page, 2)
    page.get_by_role("button", name="Review").click()
    page.locator(".record .remark", has_text="the best.").wait_for()
    assert page.locator(".chart").get_attribute("aria-label").endswith(", 1 mistake")


def test_a_review_is_not_of_a_game_that_is_gone(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    open_text(page, "1. b2 a1 2. a3 c1")
    wait_for_moves(page, 4)
    page.keyboard.press("Home")
    wait_for_address(page, moves=None)
    page.reload()  # then the end of the line is not known
    wait_for_moves(page, 4)
    held = Held(page, "**/api/play/position")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.get_by_role("button", name="Review").click()
    late = held.wait()
    page.get_by_role("button", name="New game").click()
    page.locator(".moves", has_text="No moves yet.").wait_for()
    with page.expect_response("**/api/play/position"):
        late.continue_()
    settle(page)
    assert "review" not in asked


def test_nobody_replies_to_the_better_move_until_the_user_goes_on(open_page: Opener) -> None:
    page = reviewed(open_page)
    page.get_by_label("You play").select_option("White")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.locator(".says .remark").get_by_role("button").click()
    wait_for_moves(page, 6)
    settle(page)
    assert "think" not in asked
    page.locator("[data-at=h5]").click()
    page.locator(".target").first.click()
    wait_for_moves(page, 8)


def test_a_review_outlives_a_look_into_another_room_and_a_reload(open_page: Opener) -> None:
    page = reviewed(open_page)
    says = [page.locator(each) for each in (".says .remark", ".record .remark:last-of-type")]
    before = [each.inner_text() for each in says]
    assert "the best." in before[1]
    page.locator("nav a[href='#quiz']").click()
    page.locator("nav a[href='#play']").click()
    wait_for_moves(page, 5)
    assert [each.inner_text() for each in says] == before
    page.reload()
    wait_for_moves(page, 5)
    assert [each.inner_text() for each in says] == before
    assert page.locator(".arrows .better").count() == 1
    page.get_by_role("button", name="New game").click()
    page.wait_for_function("() => !document.querySelector('.moves .move')")
    assert [each.inner_text() for each in says] == ["", ""]


def test_the_verdict_on_the_move_is_in_the_window_of_a_phone(open_page: Opener) -> None:
    page = reviewed(open_page, viewport={"width": 360, "height": 740})
    page.evaluate("() => scrollTo(0, 0)")
    assert [each for each in (".cells", ".says .remark", ".controls") if not in_window(page, each)] == []
    below = page.locator(".controls").bounding_box()
    assert page.locator(".cells").bounding_box()["y"] + page.locator(".cells").bounding_box()["height"] <= below["y"]
    page.keyboard.press("Home")
    page.wait_for_function("() => !document.querySelector('.says .remark').textContent")
    assert page.locator(".controls").bounding_box() == below  # nothing moves
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert serious_findings(page) == []


def promoting(open_page: Opener, **properties: Any) -> Any:
    page = room(open_page, "chess", side="both", start="8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", **properties)
    page.locator("[data-at=e7]").drag_to(page.locator("[data-at=e8]"))
    page.get_by_role("dialog", name="Which move").wait_for()
    return page


def explaining(open_page: Opener, **properties: Any) -> Any:
    page = room(open_page, "connect-four", side="both", **properties)
    page.get_by_role("button", name="Why?").click()
    page.locator(".pw-view").wait_for()
    return page


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("shown", [reviewed, promoting, explaining, timed, resigned])
def test_axe_finds_nothing_serious(open_page: Opener, shown: Opener, colours: str) -> None:
    assert serious_findings(shown(open_page, color_scheme=colours)) == []


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
