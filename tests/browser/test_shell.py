"""The shell: three rooms, and colours to choose."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import serious_findings


@pytest.mark.parametrize("room", ["play", "explain", "quiz"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_room_opens_without_serious_findings_of_axe(open_page: Any, room: str, colours: str) -> None:
    page = open_page(f"/#{room}", color_scheme=colours)
    page.wait_for_selector("main h1")
    assert page.locator("nav a[aria-current=page]").inner_text().lower() == room
    assert serious_findings(page) == []


def test_the_colours_can_be_chosen_and_are_remembered(page: Any) -> None:
    button = page.get_by_role("button", name="Colours")
    button.click()
    assert page.locator("html").get_attribute("data-theme") == "light"
    button.click()
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"
