"""Reviews in the Play room: what they say of moves, what was better, and how they end."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import Held, serious_findings, settle
from tests.browser.play_room import (
    Opener,
    address,
    in_window,
    open_text,
    played,
    room,
    type_moves,
    wait_for_address,
    wait_for_moves,
)


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
    wait_for_address(page, moves="b2 a1 a3 c1")
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


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_review_has_no_serious_findings(open_page: Opener, colours: str) -> None:
    assert serious_findings(reviewed(open_page, color_scheme=colours)) == []
