"""Games with dice in a browser: whole games by clicking, and dice that are seen to roll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import serious_findings
from tests.browser.play_room import OVER, played, wait_for_moves, wait_for_turn
from tests.browser.play_room import room as plain_room

Opener = Callable[..., Any]

PHONE: dict[str, Any] = {"viewport": {"width": 375, "height": 700}, "has_touch": True}
MOST_CLICKS = 400


def room(open_page: Opener, game: str, side: str = "0", seed: int | str = 7, start: str = "", **properties: Any) -> Any:
    """Return a page with a game on it whose dice have this seed, against a quick beginner."""
    ready = ".board, .error:not(:empty)"
    return plain_room(open_page, game, side, start, f"&seed={seed}", ready, **properties)


def rolls(page: Any) -> list[str]:
    return page.locator(".moves .roll").all_inner_texts()


def dice(page: Any) -> list[int]:
    """Return the faces of the dice on the page, by their pips."""
    return page.locator(".die .face").evaluate_all("faces => faces.map((face) => face.childElementCount)")


def move_first_man(page: Any) -> None:
    """Click a man that can move, and where it can go; if two dice would take it there, click the first."""
    page.locator(".cell.origin").first.click()
    page.locator(".cell.target").first.click()
    if page.locator("dialog button").count():
        page.locator("dialog button").first.click()


# Whole games --------------------------------------------------------------------------------------------------------


def test_a_whole_game_of_yahtzee_is_played_by_clicking(open_page: Opener) -> None:
    page = room(open_page, "yahtzee")
    order = {"game": "yahtzee", "seed": 7, "level": 1, "seconds": 0.1}
    page.request.post("/api/play/think", data=order, timeout=180_000)  # its table is made when it is first needed
    boxes = 0
    while not page.locator(OVER).count():
        count = len(played(page))
        if boxes < 2 and page.locator("button.slot").count():  # in two turns, dice are kept, as long as there are rolls
            page.locator("button.slot").nth(boxes).click()
            kept = page.locator("button.slot[aria-pressed=true]").get_attribute("aria-label")
            page.get_by_role("button", name=f"Play keep-{kept.removeprefix('die ')}").click()
        else:
            page.locator(".box.free").first.click()
            boxes += 1
        wait_for_moves(page, count + 1)
        wait_for_turn(page)
    assert boxes == 13
    assert page.locator(".box.used").count() == 26
    assert [name.startswith("keep-") for name in played(page)[:3]] == [True, True, False]
    totals = [int(text) for text in page.locator(".box[data-at^='total']").all_inner_texts()]
    more, less = max(totals), min(totals)
    outcome = "A draw" if more == less else f"You {('won', 'lost')[totals.index(more)]}"
    assert page.locator(".turn").inner_text() == f"{outcome} by {more} points to {less}."
    assert page.locator(".box.free").count() == page.locator("button.slot").count() == 0


def test_a_whole_game_of_backgammon_is_played_by_clicking(open_page: Opener) -> None:
    page = room(open_page, "backgammon")
    for _ in range(MOST_CLICKS):
        if page.locator(OVER).count():
            break
        count = len(played(page))
        if page.locator(".moves-by-name button").count():
            page.get_by_role("button", name="pass", exact=True).click()
        else:
            move_first_man(page)
        wait_for_moves(page, count + 1)
        wait_for_turn(page)
    assert page.locator(".turn").inner_text().rstrip(".") in [
        f"You {outcome}{how}" for outcome in ("won", "lost") for how in ("", " by a gammon", " by a backgammon")
    ]
    assert page.locator("[aria-label='off, 15 white men'], [aria-label='off, 15 black men']").count() == 1
    assert page.locator(".cell.origin").count() == 0
    assert len(rolls(page)) > 20


def test_a_whole_game_of_pig_is_played_by_clicking(open_page: Opener) -> None:
    page = room(open_page, "pig", start="88-70 max 0")
    for _ in range(MOST_CLICKS):
        if page.locator(OVER).count():
            break
        count = len(played(page))
        page.get_by_role("button", name="roll", exact=True).click()
        wait_for_moves(page, count + 1)
        assert dice(page) == [int(rolls(page)[-1])]
        wait_for_turn(page)
    assert page.locator(".turn").inner_text() in ("You won.", "You lost.")


# The dice -----------------------------------------------------------------------------------------------------------


NOTE_ANIMATIONS = """
window.times = [];
addEventListener("animationstart", ({ target }) => {
  const ended = (each) => each.effect.getComputedTiming().endTime;
  if (target.closest(".die")) window.times.push(...target.getAnimations().map(ended));
});
"""
"""Notes how long each animation of a die takes, in milliseconds, as soon as it begins."""


@pytest.mark.parametrize(("game", "first"), [("yahtzee", "12446"), ("backgammon", "32")])
def test_dice_are_seen_to_roll_and_end_on_what_was_rolled(open_page: Opener, game: str, first: str) -> None:
    page = room(open_page, game, reduced_motion="no-preference")
    page.add_init_script(NOTE_ANIMATIONS)
    page.goto(f"/?anew#play?game={game}&position=&seed=7")
    page.wait_for_selector(".die.rolling")
    page.wait_for_function("count => window.times.length > count", arg=len(first))  # faces pass, too
    assert page.evaluate("() => Math.max(...window.times)") < 1000
    page.wait_for_function("() => !document.getAnimations().some((each) => each.effect.target.closest('.die'))")
    assert sorted(map(str, dice(page))) == sorted(first)
    seen = "(marks) => marks.map((mark) => getComputedStyle(mark).opacity)"
    assert set(page.locator(".die .passing").evaluate_all(seen)) == {"0"}
    assert set(page.locator(".die .face").evaluate_all(seen)) == {"1"}
    assert page.locator(".rolled").inner_text().startswith(f"Rolled\n{first}")


def test_dice_lie_still_where_motion_is_reduced(open_page: Opener) -> None:
    page = room(open_page, "yahtzee")
    page.wait_for_selector(".die.rolling")
    assert page.evaluate("() => document.getAnimations().length") == 0
    assert dice(page) == [1, 2, 4, 4, 6]


def test_only_the_dice_that_were_not_kept_roll(open_page: Opener) -> None:
    page = room(open_page, "yahtzee")
    for die in (2, 3):
        page.locator("button.slot").nth(die).click()
    page.get_by_role("button", name="Play keep-44").click()
    wait_for_moves(page, 1)
    assert page.locator(".slot .die.rolling").count() == 3
    assert dice(page).count(4) >= 2


def test_either_of_two_equal_dice_may_be_kept_but_not_all_five(open_page: Opener) -> None:
    page = room(open_page, "yahtzee")
    page.locator("button.slot").nth(3).click()  # the second 4
    assert page.get_by_role("button", name="Play keep-4", exact=True).is_enabled()
    for die in (0, 1, 2, 4):
        page.locator("button.slot").nth(die).click()
    assert page.get_by_role("button", name="No move selects these").is_disabled()


def test_the_seed_is_shown_and_repeats_a_game(open_page: Opener) -> None:
    page = room(open_page, "yahtzee", side="both", seed="")
    seed = page.locator(".seed code").inner_text()
    page.locator(".box.free").first.click()
    wait_for_moves(page, 1)
    before = rolls(page)
    page.get_by_text("Set up a position").click()
    page.get_by_label("Seed of the dice").fill(str(int(seed) + 1))
    page.get_by_role("button", name="New game").click()
    page.wait_for_function("seed => document.querySelector('.seed code').textContent === seed", arg=str(int(seed) + 1))
    page.get_by_label("Seed of the dice").fill(seed)
    page.get_by_role("button", name="New game").click()
    page.wait_for_function("seed => document.querySelector('.seed code').textContent === seed", arg=seed)
    page.locator(".box.free").first.click()
    wait_for_moves(page, 1)
    assert rolls(page) == before
    page.get_by_label("Seed of the dice").fill("seven")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("alert").filter(has_text="Seed: Input should be a valid integer.").wait_for()
    assert rolls(page) == before  # the game goes on
    page = room(open_page, "pig", seed="seven")
    page.get_by_role("alert").filter(has_text="Seed: Input should be a valid integer.").wait_for()
    page.get_by_label("Seed of the dice").fill("8")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="roll", exact=True).wait_for()
    page.locator("select[name=game]").select_option("nim")
    page.wait_for_selector(".heaps")
    assert page.locator(".rolled").is_hidden()
    assert page.get_by_label("Seed of the dice").is_hidden()


def test_after_an_undo_the_same_rolls_come_again_and_a_reload_keeps_the_game(open_page: Opener) -> None:
    page = room(open_page, "pig")
    for count in (1, 2):
        page.get_by_role("button", name="roll", exact=True).click()
        wait_for_moves(page, count)
    before = rolls(page)
    assert len(before) == 2
    page.reload()
    wait_for_moves(page, 2)
    assert rolls(page) == before
    assert page.locator(".seed").inner_text() == "Dice from seed 7"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('.moves .move').length === 1")
    assert rolls(page) == before[:1]
    page.get_by_role("button", name="roll", exact=True).click()
    wait_for_moves(page, 2)
    assert rolls(page) == before


def test_undo_goes_back_to_the_persons_last_decision(open_page: Opener) -> None:
    page = room(open_page, "backgammon")
    for count in (1, 2):
        move_first_man(page)
        wait_for_moves(page, count)
    page.wait_for_function("() => document.querySelectorAll('.moves .roll').length === 3")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('.moves .move').length === 1")
    assert rolls(page) == ["32"]
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('.moves .move').length === 0")
    assert rolls(page) == ["32"]


def test_a_hint_marks_dice_or_a_box(open_page: Opener) -> None:
    page = room(open_page, "yahtzee")
    page.get_by_role("button", name="Hint").click()
    page.get_by_text("Hint: keep-44").first.wait_for()
    assert page.locator(".slot.hint").count() == 2
    page = room(open_page, "yahtzee", start="xxxxxxxxxxxx- 8 200; xxxxxxxxxxxx- 8 200; max 0 33361")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".box.hint")
    assert "expected" in page.locator(".value").inner_text()


def test_a_game_of_ones_own_shows_what_chance_did(open_page: Opener) -> None:
    page = room(open_page, "Tosses", side="both")
    page.get_by_role("button", name="toss").click()
    wait_for_moves(page, 1)
    assert page.locator(".outcome").inner_text() in ("heads", "tails")
    assert page.locator(".outcome").inner_text() == rolls(page)[0]
    page.get_by_role("button", name="stop").click()
    page.wait_for_selector(OVER)


def test_a_man_is_moved_by_a_click_anywhere_on_its_point_and_by_keyboard(open_page: Opener) -> None:
    page = room(open_page, "backgammon", side="both")
    page.locator("[data-place='88']").click()  # above the men on point 8
    assert page.locator(".cell.chosen").count() == 1
    page.locator("[data-place='92']").click()  # anywhere on point 5
    wait_for_moves(page, 1)
    assert played(page) == ["8/5"]
    page.locator(".cell.origin").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".cell.target").count() == 1


def test_black_sees_the_board_from_the_other_side(open_page: Opener) -> None:
    page = room(open_page, "backgammon", side="1")
    above, below = (page.locator(f".file{kind}").all_inner_texts() for kind in (".above", ":not(.above)"))
    assert above == ["off", *map(str, range(24, 18, -1)), "bar", *map(str, range(18, 12, -1))]
    assert below == ["off", *map(str, range(1, 7)), "bar", *map(str, range(7, 13))]  # as Black counts
    wait_for_turn(page)
    count = len(played(page))
    page.locator("[data-at='13'] >> nth=0").click()
    page.locator(".cell.target").first.click()
    wait_for_moves(page, count + 1)
    assert played(page)[count].startswith("13/")


def test_a_position_is_explained_with_an_algorithm_for_dice(open_page: Opener) -> None:
    for game in ("pig", "backgammon", "yahtzee"):
        page = room(open_page, game, side="both")
        page.get_by_role("button", name="Why?", exact=True).click()
        page.locator(".pw-title", has_text="engine on ").wait_for()
        page.go_back()
        page.wait_for_selector(".board")


@pytest.mark.parametrize("game", ["yahtzee", "backgammon", "pig"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_game_fits_a_phone_and_has_no_serious_findings_of_axe(open_page: Opener, game: str, colours: str) -> None:
    page = room(open_page, game, color_scheme=colours, **PHONE)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 375
    assert serious_findings(page) == []
    page.locator(".cell.origin, .box.free, .moves-by-name button").first.tap()
    if game == "backgammon":
        page.locator(".cell.target").first.tap()
    wait_for_moves(page, 1)
