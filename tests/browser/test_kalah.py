"""Kalah in a browser: a whole game by clicking pits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.browser.conftest import serious_findings
from tests.browser.test_play import OVER, played, room, wait_for_moves, wait_for_turn

MOST_CLICKS = 200


def test_a_whole_game_of_kalah_is_played_by_clicking(open_page: Callable[..., Any]) -> None:
    page = room(open_page, "kalah")
    assert serious_findings(page) == []
    for _ in range(MOST_CLICKS):
        if page.locator(OVER).count():
            break
        count = len(played(page))
        page.locator(".pit.free").first.click()
        wait_for_moves(page, count + 1)
        wait_for_turn(page)
    assert {name.isupper() for name in played(page)} == {True, False}
    assert re.fullmatch(r"(South|North) wins by \d+ stones to \d+\.|A draw\.", page.locator(".turn").inner_text())
    assert page.locator(".pit.free").count() == 0
