"""Kalah in a browser: a whole game by clicking pits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.browser.conftest import serious_findings
from tests.browser.play_room import OVER, played, room, wait_for_moves, wait_for_turn

MOST_CLICKS = 200


def test_a_whole_game_of_kalah_is_played_by_clicking(open_page: Callable[..., Any]) -> None:
    page = room(open_page, "kalah")
    assert serious_findings(page) == []
    assert page.locator(".pit .name").all_inner_texts() == list("fedcbaABCDEF")
    for _ in range(MOST_CLICKS):
        if page.locator(OVER).count():
            break
        count = len(played(page))
        page.locator(".pit.free").first.click()
        wait_for_moves(page, count + 1)
        wait_for_turn(page)
    assert {name.isupper() for name in played(page)} == {True, False}
    assert re.fullmatch(r"You (won|lost) by \d+ stones to \d+\.|A draw\.", page.locator(".turn").inner_text())
    assert page.locator(".pit.free").count() == 0


def test_a_pit_that_may_not_be_sown_says_why(open_page: Callable[..., Any]) -> None:
    page = room(open_page, "kalah", side="both", start="0,4,4,4,4,4,4/4,4,4,4,4,4,0 S")
    for pit, why in (("Pit A: 0 stones", "Pit A is empty."), ("Pit a: 4 stones", "Pit a is North's.")):
        page.get_by_role("button", name=pit, exact=True).click(force=True)
        assert page.get_by_role("alert").filter(has_text=why).is_visible()
    page.get_by_role("button", name="Right store").click(force=True)
    assert page.locator(".controls .error").inner_text() == ""


def test_a_pit_with_many_stones_shows_their_number_beside_them(open_page: Callable[..., Any]) -> None:
    page = room(open_page, "kalah", start="24,0,0,0,0,0,0/4,4,4,4,4,4,0 S", viewport={"width": 360, "height": 740})
    full = page.get_by_role("button", name="Pit A: 24 stones")
    assert full.locator(".count").inner_text() == "24"
    (_, lowest), (highest, _) = (
        full.locator(part).evaluate("e => [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom]")
        for part in (".count", ".seeds")
    )
    assert lowest <= highest  # neither covers the other
