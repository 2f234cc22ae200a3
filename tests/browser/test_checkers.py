"""Checkers in a browser: a whole game by clicking, numbered squares, kings, captures with a choice, and its record."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import serious_findings
from tests.browser.test_play import OVER, Opener, played, room, wait_for_moves, wait_for_turn

MOST_MOVES = 150


def test_a_whole_game_of_checkers_is_played_by_clicking(open_page: Opener) -> None:
    page = room(open_page, "checkers")
    assert page.locator(".cell .number").all_inner_texts() == [str(square) for square in range(1, 33)]
    for _ in range(MOST_MOVES):
        if page.locator(OVER).count():
            break
        count = len(played(page))
        page.locator(".cell.movable").last.click()
        page.locator(".cell.target").last.click()
        if page.locator("dialog.choice").count():
            page.locator("dialog.choice button").first.click()
        wait_for_moves(page, count + 1)
        wait_for_turn(page)
    assert page.locator(".turn").inner_text().rstrip(".") in [
        "A draw by repetition", "A draw by forty moves without progress",
        *(f"{winner} wins by {how}" for winner in ("Black", "White") for how in ("no moves left", "all pieces taken")),
    ]  # fmt: skip
    assert page.locator(".cell.movable").count() == 0
    assert page.locator(".chart circle").count() > 0


def test_a_king_is_seen_and_heard_and_a_capture_with_two_ways_asks_which(open_page: Opener) -> None:
    page = room(open_page, "checkers", side="both", start="B:W6,7,14,15,23:BK2")
    king = page.locator("[data-at='2']")
    assert king.get_attribute("aria-label") == "2, black king, can capture"
    assert king.locator("svg").text_content() == "K"
    king.click()
    page.locator("[data-at='27']").click()
    page.locator("dialog.choice").get_by_role("button", name="2x11x18x27").click()
    page.wait_for_selector("[aria-label='27, black king']")
    assert played(page) == ["2x11x18x27"]
    assert page.locator("[aria-label='6, white man']").count() == 1
    assert page.locator("[aria-label='7, empty']").count() == 1


@pytest.mark.parametrize("position", ["B:W6,7,14,15,23:BK2", "B:W6,7,14,15:BK2"])
def test_a_capture_that_ends_where_it_began_is_made_by_clicking_the_king(open_page: Opener, position: str) -> None:
    page = room(open_page, "checkers", side="both", start=position)
    page.locator("[data-at='2']").click()
    if "23" in position:  # there are others, so the first click chose the king
        page.locator("[data-at='2']").click()
    page.wait_for_selector(".moves .move")
    assert played(page) == ["2x9x18x11x2"]


def test_a_game_is_downloaded_as_pdn_and_axe_finds_nothing_serious(open_page: Opener, tmp_path: Path) -> None:
    page = room(open_page, "checkers", side="both", viewport={"width": 360, "height": 740})
    page.get_by_label("Type a move").fill("11-15")
    page.get_by_label("Type a move").press("Enter")
    page.wait_for_selector(".moves .move")
    assert serious_findings(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / download.value.suggested_filename)
    assert Path(download.value.suggested_filename).suffix == ".pdn"
    assert "1. 11-15 *" in (tmp_path / download.value.suggested_filename).read_text()
