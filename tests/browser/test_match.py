"""A game against the search: how it begins, clocks, resigning, moves in a hurry, and games of one's own."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import Held, serious_findings, settle
from tests.browser.play_room import (
    FAKED,
    OVER,
    Opener,
    address,
    choose_clock,
    focused,
    open_text,
    played,
    room,
    tell,
    wait_for_address,
    wait_for_moves,
    wait_for_turn,
)


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
    wait_for_address(page, moves="b2")
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


def slowed(open_page: Opener, clock: str) -> tuple[Any, Any, Any]:
    """Return a page with a game against the clock, and the players' clocks; time passes only as the test says."""
    page = room(open_page, "tic-tac-toe")
    page.clock.install()
    choose_clock(page, clock)
    page.get_by_role("button", name="New game").click()
    mine, other = (page.get_by_role("timer", name=f"Time of {name}") for name in "XO")
    mine.wait_for()
    return page, mine, other


def test_a_clock_goes_on_after_a_reload(open_page: Opener) -> None:
    page, mine, _ = slowed(open_page, "1+0")
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
    wait_for_address(page, moves="b2 a1")
    page.keyboard.press("Home")
    wait_for_address(page, moves=None)
    page.reload()
    wait_for_moves(page, 2)
    assert page.get_by_role("timer").count() == 0
    assert page.get_by_role("button", name="Analyse").is_enabled()
    page.get_by_role("button", name="New game").click()
    page.get_by_role("timer").first.wait_for()


def test_a_clock_runs_and_ends_the_game(open_page: Opener) -> None:
    page, mine, _ = slowed(open_page, "1+0")
    page.clock.run_for(5_000)
    assert mine.inner_text() == "0:55"
    page.clock.run_for(50_500)
    assert re.fullmatch(r"0:04\.\d", mine.inner_text())
    page.clock.run_for(5_000)
    page.wait_for_selector(OVER)
    assert page.locator(".turn").inner_text() == "You lost on time."
    assert page.locator(".cell.free").count() == 0


def test_the_clock_of_the_search_runs_while_it_thinks_and_an_undo_gives_time_back(open_page: Opener) -> None:
    page, mine, other = slowed(open_page, "3+2")
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
@pytest.mark.parametrize("shown", [promoting, explaining, timed, resigned])
def test_axe_finds_nothing_serious(open_page: Opener, shown: Opener, colours: str) -> None:
    assert serious_findings(shown(open_page, color_scheme=colours)) == []
