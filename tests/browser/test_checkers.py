"""Checkers in a browser: a whole game by clicking, numbered squares, kings, captures square by square, forced ones and
those with a choice, and the record of a game.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import serious_findings
from tests.browser.play_room import OVER, Opener, played, room, type_moves, wait_for_moves, wait_for_turn

MOST_MOVES = 150


def test_a_whole_game_of_checkers_is_played_by_clicking(open_page: Opener) -> None:
    page = room(open_page, "checkers")
    assert page.locator(".cell .number").all_inner_texts() == [str(square) for square in range(32, 0, -1)]
    for _ in range(MOST_MOVES):
        if page.locator(OVER).count():
            break
        count = len(played(page))
        page.locator(".cell.movable").last.click()
        while page.locator(".cell.target").count():
            page.locator(".cell.target").last.click()
        wait_for_moves(page, count + 1)
        wait_for_turn(page)
    assert page.locator(".turn").inner_text().rstrip(".") in [
        "A draw by repetition", "A draw by forty moves without progress",
        *(f"You {outcome} by {how}" for outcome in ("won", "lost") for how in ("no moves left", "all pieces taken")),
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


def test_ones_own_men_are_below_until_the_board_is_flipped(open_page: Opener) -> None:
    page = room(open_page, "checkers", start="B:W22,23:B9,10")
    assert first_number(page) == "32"
    page.get_by_role("button", name="Flip").click()
    assert first_number(page) == "1"
    page.get_by_label("You play").select_option("White")
    assert first_number(page) == "1"
    page.get_by_label("You play").select_option("Black")
    assert first_number(page) == "32"


def first_number(page: Any) -> str:
    return str(page.locator(".cell .number").first.inner_text())


def shown(page: Any, kind: str) -> list[str]:
    return [str(cell.get_attribute("data-at")) for cell in page.locator(f".cell.{kind}").all()]


@pytest.mark.parametrize("position", ["B:W6,7,14,15,23:BK2", "B:W6,7,14,15:BK2"])
def test_a_capture_that_ends_where_it_began_is_made_by_clicking_the_king(open_page: Opener, position: str) -> None:
    page = room(open_page, "checkers", side="both", start=position)
    page.locator("[data-at='2']").click()
    page.locator("[data-at='2']").click()
    page.wait_for_selector(".moves .move")
    assert played(page) == ["2x9x18x11x2"]


@pytest.mark.parametrize(
    ("route", "move"),
    [("2 9 18 11 2", "2x9x18x11x2"), ("2 11 18 9 2", "2x9x18x11x2"), ("2 11 18 27", "2x11x18x27")],
)
def test_a_capture_is_made_square_by_square_whichever_way_around(open_page: Opener, route: str, move: str) -> None:
    page = room(open_page, "checkers", side="both", start="B:W6,7,14,15,23:BK2")
    for square in route.split():
        assert played(page) == []
        page.locator(f"[data-at='{square}']").click()
        if square in ("9", "11"):
            assert page.locator(f"[data-at='{square}'] .piece").count() == 1  # the king stands there
    page.wait_for_selector(".moves .move")
    assert played(page) == [move]


def test_the_next_squares_and_the_last_are_shown_and_escape_takes_the_piece_back(open_page: Opener) -> None:
    page = room(open_page, "checkers", side="both", start="B:W6,7,14,15,23:BK2")
    page.locator("[data-at='2']").click()
    assert (shown(page, "target"), shown(page, "end")) == (["9", "11"], ["2", "27"])
    page.locator("[data-at='9']").click()
    assert (shown(page, "target"), shown(page, "chosen")) == (["18"], ["2", "9"])
    assert page.locator("[data-at='2']").evaluate("e => getComputedStyle(e).backgroundImage") == "none"
    page.keyboard.press("Escape")
    assert (shown(page, "target"), shown(page, "chosen")) == ([], [])
    assert page.locator("[data-at='2'] .piece").count() == 1
    page.locator("[data-at='2']").drag_to(page.locator("[data-at='11']"))
    page.locator("[data-at='27']").click()
    page.wait_for_selector(".moves .move")
    assert played(page) == ["2x11x18x27"]


def test_a_piece_that_may_not_move_says_why(open_page: Opener) -> None:
    page = room(open_page, "checkers", side="both", start="B:W18,19:B1,14,15")
    page.locator("[data-at='1']").click(force=True)
    reason = page.get_by_role("alert").filter(has_text="You must capture, with the piece on 14 or 15.")
    assert reason.is_visible()
    page.locator("[data-at='15']").click()
    assert not reason.is_visible()
    page.locator("[data-at='1']").click(force=True)
    page.locator("[data-at='18']").click(force=True)  # the opponent's
    assert not reason.is_visible()


def test_a_game_is_downloaded_as_pdn_and_axe_finds_nothing_serious(open_page: Opener, tmp_path: Path) -> None:
    page = room(open_page, "checkers", side="both", viewport={"width": 360, "height": 740})
    type_moves(page, "11-15")
    assert serious_findings(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / download.value.suggested_filename)
    assert Path(download.value.suggested_filename).suffix == ".pdn"
    assert "1. 11-15 *" in (tmp_path / download.value.suggested_filename).read_text()
