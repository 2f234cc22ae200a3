"""The Play room in a browser, with mouse, keyboard and touch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import serious_findings
from tests.browser.play_room import (
    OVER,
    Opener,
    board_and_controls,
    in_window,
    played,
    room,
    type_moves,
    wait_for_moves,
    wait_for_turn,
)

HINT = "#room :text('Hint: ')"


@pytest.mark.parametrize(
    ("game", "free", "most"),
    [
        ("tic-tac-toe", ".cell.free", 9),
        ("connect-four", ".column:not([aria-disabled])", 42),
        ("othello", ".cell.free, .moves-by-name button", 64),
    ],
)
def test_a_whole_game_is_played_by_clicking(open_page: Opener, game: str, free: str, most: int) -> None:
    page = room(open_page, game)
    for _ in range(most):
        wait_for_turn(page)
        if page.locator(OVER).count():
            break
        count = len(played(page))
        page.locator(free).first.click()
        wait_for_moves(page, count + 1)
    assert page.locator(".turn").inner_text().rstrip(".").partition(" by ")[0] in ("You won", "You lost", "A draw")
    assert page.locator(free).count() == 0
    assert page.locator(".chart circle").count() > 0


def test_a_whole_game_of_go_is_played_by_clicking(open_page: Opener) -> None:
    page = room(open_page, "go", side="both", more="&parameters=5,komi=0")
    assert page.locator(".lines circle").count() == 1  # the star in the middle
    for count, name in enumerate(("A4", "A5", "B5"), 1):
        page.locator(f"[data-at={name}]").click()
        wait_for_moves(page, count)
    assert page.locator("[data-at=A5]").get_attribute("aria-label") == "A5, empty"  # captured
    for count in (4, 5):
        page.get_by_role("button", name="pass", exact=True).click()
        wait_for_moves(page, count)
    page.wait_for_selector(OVER)
    assert page.locator(".turn").inner_text() == "Black wins by 25."
    assert played(page) == ["A4", "A5", "B5", "pass", "pass"]


def test_undo_takes_back_a_move_and_its_reply_even_if_one_of_them_is_a_pass(open_page: Opener) -> None:
    page = room(open_page, "go", side="both", more="&parameters=5")
    for move in ("C3", "pass", "B2", "D4", "pass", "D3"):
        type_moves(page, move)
        assert page.locator(".tally").inner_text().endswith("played pass") == (move == "pass")
    page.get_by_label("You play").select_option("Black")
    for left in (4, 2, 0):
        page.get_by_role("button", name="Undo").click()
        page.wait_for_function("n => document.querySelectorAll('.moves .move').length === n", arg=left)
    assert page.get_by_role("button", name="Undo").is_disabled()


def test_a_chess_move_is_made_by_dragging_and_answered(open_page: Opener) -> None:
    page = room(open_page, "chess")
    page.locator("[data-at=e2]").drag_to(page.locator("[data-at=e4]"))
    page.wait_for_selector("[data-at=e4][aria-label='e4, white pawn']")
    wait_for_moves(page, 2)
    assert played(page)[0] == "e4"


def test_a_chess_move_is_made_by_clicking_and_by_keyboard(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both")
    page.locator("[data-at=g1]").click()
    assert page.locator(".target").count() == 2
    page.locator("[data-at=f3]").click()
    page.wait_for_selector(".moves .move")
    page.locator("[data-at=f3]").focus()
    for key in ["ArrowUp"] * 4 + ["ArrowLeft", "Enter", "ArrowDown", "ArrowDown", "Enter"]:
        page.keyboard.press(key)
    wait_for_moves(page, 2)
    assert played(page) == ["Nf3", "e5"]


def test_a_pawn_is_promoted_to_what_the_person_chooses(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both", start="8/4P3/8/8/8/2k5/8/4K3 w - - 0 1")
    page.locator("[data-at=e7]").drag_to(page.locator("[data-at=e8]"))
    page.get_by_role("dialog").get_by_role("button", name="e8=N").click()
    page.wait_for_selector("[data-at=e8][aria-label='e8, white knight']")
    assert played(page) == ["e8=N"]


def test_the_search_plays_itself_and_can_be_paused(open_page: Opener) -> None:
    page = room(open_page, "nim", side="none")
    wait_for_moves(page, 2)
    page.get_by_role("button", name="Pause").click()
    count = len(played(page))
    page.wait_for_timeout(1200)
    assert len(played(page)) <= count + 1
    page.get_by_role("button", name="Resume").click()
    page.wait_for_selector(OVER, timeout=30_000)


def test_moves_are_taken_back_and_hinted_at(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".cell.hint")
    page.wait_for_selector(HINT)
    page.locator("[data-at=b2]").click()
    wait_for_moves(page, 2)
    assert page.locator(HINT).count() == 0
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('.moves .move').length === 0")
    assert page.locator(".cell.free").count() == 9


def test_a_strength_is_remembered_by_its_name(open_page: Opener) -> None:
    page = room(open_page, "nim")
    strength, chosen = page.get_by_label("Strength"), "e => e.selectedOptions[0].textContent"
    assert strength.evaluate(chosen) == "Beginner"
    strength.select_option("Full strength")
    with page.expect_request("**/think") as asked:
        page.locator(".thing").first.click()
    assert asked.value.post_data_json["level"] == 8
    page.reload()
    page.wait_for_selector(".board")
    assert strength.evaluate(chosen) == "Full strength"
    page.evaluate("localStorage.setItem('plywise', JSON.stringify({play: {level: 6}}))")  # once the sixth of six
    page.reload()
    page.wait_for_selector(".board")
    assert strength.evaluate(chosen) == "Casual"


def test_what_the_search_said_goes_with_its_position(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", start="X../.../..O")
    page.locator("[data-at=b2]").click()
    wait_for_moves(page, 2)
    assert page.locator(".facts .line").inner_text() != "–"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('.moves .move').length === 0")
    assert (page.locator(".value").inner_text(), page.locator(".facts .line").inner_text()) == ("–", "–")
    for change in ("Undo", "New game"):
        page.locator("[data-at=b2]").click()
        wait_for_moves(page, 2)
        wait_for_turn(page)
        page.get_by_role("button", name="Hint").click()
        page.wait_for_selector(HINT)
        page.get_by_role("button", name=change).click()
        page.wait_for_function("() => document.querySelectorAll('.moves .move').length === 0")
        assert page.locator(HINT).count() == 0
        assert page.locator(".value").inner_text() == "–"


@pytest.mark.parametrize(
    ("game", "wrong", "said"),
    [("othello", "position=zz", "zz"), ("othello", "parameters=zz", "zz"), ("pig", "seed=zz", "Seed: ")],
)
def test_a_link_to_a_wrong_position_shows_the_usual_start(open_page: Opener, game: str, wrong: str, said: str) -> None:
    page = open_page(f"/#play?game={game}&{wrong}")
    page.wait_for_selector(".board")
    notice = page.locator(".notice").inner_text()
    assert said in notice
    assert notice.endswith("Showing the usual start instead.")
    page.get_by_role("button", name="New game").click()
    page.wait_for_function("() => !document.querySelector('.notice').textContent")
    assert page.locator(".setup .error").inner_text() == ""


def test_a_game_outlives_a_reload_and_a_look_into_another_room(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both", start="X../.../...")
    page.locator("[data-at=b2]").click()
    wait_for_moves(page, 1)
    page.locator("[data-at=c3]").click()
    wait_for_moves(page, 2)
    page.reload()
    wait_for_moves(page, 2)
    page.get_by_role("button", name="Why?").click()
    page.wait_for_selector(".explain-stage svg")
    page.go_back()
    wait_for_moves(page, 2)
    page.locator("nav a[href='#quiz']").click()
    page.locator("nav a[href='#play']").click()
    wait_for_moves(page, 2)
    assert page.locator("[data-at=a3]").get_attribute("aria-label") == "a3, X"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("[data-at=c3][aria-label='c3, empty']")
    assert played(page) == ["b2"]
    page.get_by_role("button", name="New game").click()
    page.wait_for_selector("[data-at=b2][aria-label='b2, empty']")
    assert page.evaluate("() => JSON.parse(sessionStorage.plywise).play.tree.children") == []


def test_a_game_is_at_its_last_move_after_a_reload_before_the_address_has_it(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    older = page.evaluate("() => location.hash")
    type_moves(page, "b2", "c3")
    page.wait_for_function("() => location.hash.includes('moves=b2+c3')")
    page.evaluate("hash => history.replaceState(null, '', hash)", older)
    page.reload()
    page.wait_for_selector("[data-at=c3][aria-label='c3, O']")
    page.wait_for_function("() => location.hash.includes('moves=b2+c3')")


def test_a_position_is_set_up_by_text_and_a_wrong_one_is_explained(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    page.get_by_text("Set up a position").click()
    page.get_by_label("Position as text").fill("XX./OO./...")
    page.get_by_role("button", name="New game").click()
    page.wait_for_selector("[data-at=a3][aria-label='a3, X']")
    page.get_by_label("Position as text").fill("XXXX")
    with page.expect_response("**/api/play/position") as answer:
        page.get_by_role("button", name="New game").click()
    assert answer.value.status == 422
    assert "is not a position" in page.get_by_role("alert").inner_text()
    type_moves(page, "c3")
    page.wait_for_selector(OVER)
    assert page.locator(".turn").inner_text() == "X wins."
    assert page.locator(".cell.marked").count() == 3


BOARDS = [
    ("backgammon", ""), ("checkers", ""), ("chess", ""), ("connect-four", ""), ("go", ""), ("go", "19"), ("kalah", ""),
    ("nim", ""), ("othello", ""), ("tic-tac-toe", ""), ("yahtzee", ""),
]  # fmt: skip


@pytest.mark.parametrize(("game", "parameters"), BOARDS)
def test_all_that_a_player_needs_is_in_a_small_window(open_page: Opener, game: str, parameters: str) -> None:
    more = f"&parameters={parameters}"
    page = room(open_page, game, side="both", more=more, viewport={"width": 1280, "height": 720})
    page.get_by_label("Strength").select_option("Full strength")  # which has the most fields
    page.get_by_text("Set up a position").click()
    page.get_by_label("Position as text").fill("rubbish")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("alert").filter(has_text="rubbish").wait_for()
    needed = [".turn", ".controls", "[name=level]", "[name=seconds]", ".setup .primary", ".setup .error"]
    if game != "yahtzee":  # a sheet is as long as it is
        needed += [".board"]
    assert [each for each in needed if not in_window(page, each)] == []
    if game != "yahtzee":
        board, controls = (page.locator(each).bounding_box() for each in (".board", ".controls"))
        assert board["y"] + board["height"] <= controls["y"]  # which cover nothing
    assert serious_findings(page) == []


def test_nothing_moves_when_there_is_something_to_say_or_no_pass_any_more(open_page: Opener) -> None:
    page = room(open_page, "go", side="both", viewport={"width": 1280, "height": 720})
    page.locator("[data-at=E5]").click()
    page.wait_for_selector("[data-at=E5].last")
    before = board_and_controls(page)
    page.locator("[data-at=E5]").click(force=True)
    page.wait_for_selector(".controls .error:not(:empty)")
    assert board_and_controls(page) == before
    for count in (2, 3):
        page.get_by_role("button", name="pass").click()
        wait_for_moves(page, count)
    page.wait_for_selector(OVER)
    assert page.get_by_role("button", name="pass").count() == 0
    assert board_and_controls(page) == before


def test_a_forced_pass_is_announced(open_page: Opener) -> None:
    squares = "--XXXXOXXXXXXOOXXOXOOOOXXOXOOOOXXOOOXOOXXOXOOXOXXOOOOOXXXOOXXXXX"
    page = room(open_page, "othello", side="both", start=f"{squares} X")
    assert page.get_by_role("alert").filter(has_text="Your only move is pass.").is_visible()
    page.get_by_role("button", name="pass").click()
    wait_for_moves(page, 1)
    assert page.get_by_text("Your only move").count() == 0


def test_othello_counts_discs_and_marks_the_last_move_on_a_green_board(open_page: Opener) -> None:
    page = room(open_page, "othello", side="both")
    page.locator("[data-at=f5]").click()
    page.wait_for_selector("[data-at=f5].last")
    assert page.locator(".tally").inner_text() == "Black 4, White 1"
    assert page.locator(".cell.dot").count() == 3
    dot = "e => getComputedStyle(e, '::after').backgroundColor"
    assert page.locator("[data-at=f5]").evaluate(dot) == "rgb(229, 68, 59)"
    assert page.locator("[data-at=a8]").evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(47, 143, 78)"
    page.locator("[data-at=a8]").hover(force=True)
    assert page.locator("[data-at=a8]").evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(47, 143, 78)"


@pytest.mark.parametrize(("game", "move", "ending"), [("chess", "e4", ".pgn"), ("connect-four", "4", ".json")])
def test_a_game_is_downloaded(open_page: Opener, tmp_path: Path, game: str, move: str, ending: str) -> None:
    page = room(open_page, game, side="both")
    type_moves(page, move)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.suffix == ending
    text = file.read_text()
    assert "1. e4 *" in text if game == "chess" else json.loads(text)["moves"] == ["4"]


def test_any_game_has_a_board_and_a_list_of_moves(open_page: Opener) -> None:
    page = room(open_page, "Subtraction")
    assert "21" in page.locator(".picture").inner_text()
    page.locator(".board button").first.click()
    wait_for_moves(page, 2)


@pytest.mark.parametrize(
    ("game", "title", "free", "heard", "after"),
    [
        ("Othello", "Othello (yours)", ".cell.free.dot", "b1, empty", "b1, black disc"),
        ("Gomoku", "Small Gomoku (yours)", ".points .cell.free", "a1, empty", "a1, black stone"),
        ("Kalah", "Little Kalah (yours)", ".pit.free", "Pit 4: 2 stones", "Pit 4: 0 stones"),
    ],
)
def test_a_game_of_ones_own_is_played_on_its_own_board(
    open_page: Opener, game: str, title: str, free: str, heard: str, after: str
) -> None:
    page = room(open_page, game, side="both")
    assert page.locator("select[name=game] option:checked").inner_text() == title
    place = page.locator(free).first
    assert place.get_attribute("aria-label") == heard
    place.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f"[aria-label='{after}'].last")
    assert len(played(page)) == 1
    assert serious_findings(page) == []


def test_moves_that_are_nowhere_on_the_board_are_buttons(open_page: Opener) -> None:
    page = room(open_page, "red-blue", side="both")
    page.get_by_role("group", name="Moves").get_by_role("button", name="B").click()
    page.wait_for_selector("[aria-label='1, B']")


def test_three_players_have_a_game_too(open_page: Opener) -> None:
    page = room(open_page, "dog-cat-mouse")
    page.get_by_role("button", name="sleep").click()
    page.wait_for_selector(OVER)
    assert len(played(page)) == 3


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("game", ["chess", "connect-four", "tic-tac-toe", "nim", "red-blue"])
def test_axe_finds_nothing_serious_on_any_board(open_page: Opener, game: str, colours: str) -> None:
    page = room(open_page, game, color_scheme=colours)
    page.locator(".board button:not([aria-disabled])").first.click()
    assert serious_findings(page) == []


def test_nothing_is_wider_than_a_narrow_screen(open_page: Opener) -> None:
    for game in ("chess", "connect-four", "nim", "dog-cat-mouse"):
        page = room(open_page, game, viewport={"width": 360, "height": 740})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("game", ["chess", "connect-four", "backgammon"])
@pytest.mark.parametrize("analyse", ["off", "on"])
def test_how_far_a_compilation_is_can_be_seen_and_heard_on_a_phone(open_page: Opener, game: str, analyse: str) -> None:
    phone = {"width": 360, "height": 740}
    page = room(open_page, game, viewport=phone)
    progress = 'event: progress\ndata: {"share": 0.25, "left": 31.0}\n\n'
    page.route("**/api/play/prepare", lambda route: route.fulfill(content_type="text/event-stream", body=progress))
    page.goto(f"/?compiling#play?game={game}&analyse={analyse}")
    status = page.get_by_role("status").filter(has_text="The fast code is being made")
    status.wait_for()
    assert status.inner_text().strip().endswith("25 %, about 31 s left.")
    assert status.get_by_role("progressbar", name="Fast code").is_visible()
    assert in_window(page, ".making")
    box = page.locator(".making").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= phone["width"]
    assert serious_findings(page) == []


def left_edges(page: Any) -> list[float]:
    """Where the first letter that is no space stands, line by line, in widths of a letter from the left of the text."""
    return page.evaluate("""() => {
      const text = document.querySelector(".picture").firstChild, lefts = [];
      let start = 0;
      for (const line of text.data.split("\\n")) {
        const range = document.createRange(), first = start + line.search(/\\S/);
        range.setStart(text, first);
        range.setEnd(text, first + 1);
        lefts.push(range.getBoundingClientRect().left);
        start += line.length + 1;
      }
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 1);
      const letter = range.getBoundingClientRect();
      return lefts.map((left) => Math.round((left - letter.left) / letter.width));
    }""")


def test_a_text_board_keeps_its_columns(open_page: Opener) -> None:
    assert left_edges(room(open_page, "Slanted", side="both")) == [0, 2, 4, 6]
    page = room(open_page, "Sowing", side="both")
    assert page.locator(".picture.large").count() == 1
    assert left_edges(page) == [4, 1, 4]
    box, frame = page.evaluate("""() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(".picture"));
      const of = ({ left, right }) => [left, right];
      return [of(range.getBoundingClientRect()), of(document.querySelector(".picture").getBoundingClientRect())];
    }""")
    assert abs((box[0] - frame[0]) - (frame[1] - box[1])) < 3  # the block is in the middle


def test_the_list_of_moves_says_who_moved_again(open_page: Opener) -> None:
    page = room(open_page, "Sowing", side="both")
    for count, move in enumerate(["2", "1", "1", "2", "1"], 1):
        page.locator(f'.board button[data-at="{move}"]').click()
        wait_for_moves(page, count)
    assert page.locator(".moves").inner_text().split() == ["1.", "2", "1", "…", "1", "…", "2", "2.", "1"]


def test_a_class_without_a_docstring_is_not_described_by_its_signature(open_page: Opener) -> None:
    page = room(open_page, "Slanted")
    assert page.locator(".about").inner_text() == ""
    assert page.locator(".about").count() == 1
    assert room(open_page, "Sowing").locator(".about").inner_text().startswith("A player who takes one moves again")
