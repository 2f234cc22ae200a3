"""The shell of the page: three rooms, and a choice of colours."""

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


@pytest.mark.parametrize(
    ("address", "says", "opened"),
    [
        (
            "#play?game=foo&position=xyz",
            "There is no game “foo” here. Showing Subtraction (yours) instead.",
            "Subtraction",
        ),
        (
            "#explain?game=foo&position=xyz",
            "There is no game “foo” here. Showing RED-BLUE instead.",
            "game:red-blue",
        ),
        ("#explain?example=foo", "There is no tree “foo” here. Showing RED-BLUE instead.", "game:red-blue"),
    ],
)
def test_what_an_address_asks_for_in_vain_is_said(open_page: Any, address: str, says: str, opened: str) -> None:
    page = open_page(f"/{address}")
    page.get_by_role("alert").filter(has_text=says).wait_for()
    page.wait_for_selector(".pw-view, .board")
    chosen = page.locator("[name=game], [name=from]")
    assert chosen.input_value() == opened
    assert page.locator(".error:not(:empty)").count() == 0
    assert serious_findings(page) == []
    chosen.select_option(opened.replace(opened.rpartition(":")[2], "tic-tac-toe"))
    page.get_by_text(says).wait_for(state="hidden")


def test_an_algorithm_that_is_not_there_is_said(open_page: Any) -> None:
    page = open_page("/#explain?game=red-blue&algorithm=foo")
    page.get_by_text("There is no algorithm “foo” here. Showing Alpha-beta instead.").wait_for()
    page.wait_for_selector(".pw-view")


def test_a_room_does_not_name_itself_where_the_user_has_already_left_it(open_page: Any) -> None:
    page = open_page("/#explain?game=red-blue")
    page.wait_for_selector(".pw-view")
    notation = page.get_by_label("Notation")
    other = notation.locator("option").last.get_attribute("value")
    leave = """([notation, other]) => {
        location.hash = "#quiz";  // the event comes later
        notation.value = other;
        notation.dispatchEvent(new Event("change"));
    }"""
    page.evaluate(leave, [notation.element_handle(), other])
    page.wait_for_selector(".quiz-score")
    assert page.locator("nav a[aria-current=page]").inner_text() == "Quiz"
