"""The list of moves, with its variations, and the address that names what is on the board."""

from __future__ import annotations

from typing import Any

from tests.browser.play_room import (
    Opener,
    address,
    focused,
    open_text,
    played,
    room,
    type_moves,
    wait_for_address,
    wait_for_moves,
)


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
    wait_for_address(page, moves="b2")
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
