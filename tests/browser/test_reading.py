"""Games from elsewhere in a browser: texts that are pasted, files that are dropped, and boards that are set up."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Held, serious_findings, settle

Opener = Callable[..., Any]

OPEN = """async ([module, name, game, parameters, more]) => {
  const { api } = await import("/static/server.js");
  const opened = (await import(`/static/${module}.js`))[name];
  const context = { api, announce() {} };
  const chosen = { game, parameters };
  const given = name === "editBoard" ? await api("/api/play/position", { ...chosen, start: more }) : more;
  window.answer = undefined;
  opened(context, chosen, given).then((answer) => { window.answer = answer; });
}"""
"""Opens one of the dialogs; ``window.answer`` is what it is closed with."""

PGN = """[White "Ann"]
[Black "Bob"]

1. e4 e5 2. Ke3 Nf6 1-0

[White "Cy"]
[Black "Dee"]

1. d4 d5 {as usual} (1... Nf6) 2. c4 1/2-1/2
"""


def reader(page: Any, game: str = "chess", **more: str) -> Any:
    page.wait_for_selector(".board")
    page.evaluate(OPEN, ["reading", "readGames", game, "", more])
    return page.get_by_role("dialog", name="Read games")


def editor(page: Any, game: str, start: str | None = None, parameters: str = "") -> Any:
    page.wait_for_selector(".board")
    page.evaluate(OPEN, ["editor", "editBoard", game, parameters, start])
    return page.get_by_role("dialog", name="Set up a position")


def answer(page: Any) -> Any:
    page.wait_for_function("() => window.answer !== undefined")
    return page.evaluate("() => window.answer")


def square(dialog: Any, name: str) -> Any:
    return dialog.locator(f"[data-at={name}]")


def drag(page: Any, source: Any, target: Any) -> None:
    for place, act in ((source, page.mouse.down), (target, page.mouse.up)):
        box = place.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        act()


# Reading --------------------------------------------------------------------------------------------------------------


def test_a_pasted_text_lists_its_games_and_what_is_wrong(page: Any) -> None:
    dialog = reader(page)
    dialog.get_by_label("Paste games").fill(PGN)
    dialog.get_by_role("button", name="Read").click()
    games = dialog.get_by_role("list", name="Games found").get_by_role("listitem")
    games.nth(1).wait_for()
    assert games.count() == 2
    assert "Only the first 2 moves: line 4, White's move 2: 'Ke3' is not a legal move" in games.first.inner_text()
    assert serious_findings(page) == []
    dialog.get_by_role("button", name="Cy – Dee 3 moves").click()
    game = answer(page)
    assert (game["game"], game["result"]) == ("chess", "1/2-1/2")
    assert [move["name"] for move in game["line"]] == ["d4", "d5", "c4"]
    assert game["line"][1]["variations"][0][0]["name"] == "Nf6"
    assert dialog.count() == 0


def test_a_text_of_another_game_says_so(page: Any) -> None:
    dialog = reader(page, "connect-four", text='[White "Ann"]\n1. e4 e5 *')
    dialog.get_by_text("This is Chess, not Connect Four.").wait_for()
    dialog.get_by_role("button", name="Ann").click()
    assert answer(page)["game"] == "chess"


def test_what_cannot_be_read_is_explained_in_place(page: Any) -> None:
    dialog = reader(page, "connect-four")
    dialog.get_by_label("Paste games").fill("hello")
    dialog.get_by_role("button", name="Read").click()
    dialog.get_by_text("This is no list of moves").wait_for()
    dialog.get_by_label("Paste games").fill("")
    dialog.get_by_role("button", name="Read").click()
    dialog.get_by_role("alert").filter(has_text="There is nothing to read.").wait_for()
    dialog.get_by_label("Paste games").fill("4455")
    dialog.get_by_role("button", name="Read").click()  # nothing is wrong with the only game, so it opens at once
    assert [move["text"] for move in answer(page)["line"]] == ["4", "4", "5", "5"]


def test_an_old_file_is_opened_and_a_large_one_refused(page: Any, tmp_path: Path) -> None:
    dialog = reader(page)
    large = tmp_path / "large.pgn"
    large.write_bytes(b"1. e4 e5 *\n" * 200_000)
    dialog.get_by_label("or open a file").set_input_files(large)
    dialog.get_by_role("alert").filter(has_text="large.pgn has 2.1 MB. At most 1.0 MB").wait_for()
    old = tmp_path / "old.pgn"
    old.write_bytes('[White "Müller"]\r\n\r\n1. e4 ½-½'.encode("cp1252"))
    dialog.get_by_label("or open a file").set_input_files(old)
    game = answer(page)
    assert (game["tags"]["White"], game["result"]) == ("Müller", "1/2-1/2")


def test_a_dropped_file_is_taken(page: Any) -> None:
    page.wait_for_selector(".board")
    page.evaluate("""async () => {
      const { takeDrops, fileText } = await import("/static/reading.js");
      const inner = document.querySelector("#room .play");  // the room takes files, too
      window.leave = takeDrops(inner, async (file) => { window.taken = await fileText(file); });
      window.drop = (name) => {
        const carried = new DataTransfer();
        carried.items.add(new File([new Uint8Array([0xff, 0xfe, 0x65, 0, 0x34, 0])], "game.pgn"));
        inner.firstChild.dispatchEvent(new DragEvent(name, { dataTransfer: carried, bubbles: true, cancelable: true }));
      };
      window.drop("dragenter");
    }""")
    assert "dropping" in page.locator(".play").get_attribute("class")
    page.evaluate("() => window.drop('drop')")
    page.wait_for_function("() => window.taken === 'e4'")
    assert "dropping" not in page.locator(".play").get_attribute("class")
    page.evaluate("() => { window.taken = ''; window.leave(); window.drop('drop'); }")
    assert page.evaluate("() => window.taken") == ""


def test_a_file_dropped_on_the_open_dialog_leaves_no_outline(page: Any) -> None:
    page.wait_for_selector(".board")
    page.get_by_role("button", name="Open", exact=True).click()
    dialog = page.get_by_role("dialog", name="Read games")
    drop = """(dialog, name) => {
      const carried = new DataTransfer();
      carried.items.add(new File(["hello"], "game.txt"));
      dialog.dispatchEvent(new DragEvent(name, { dataTransfer: carried, bubbles: true, cancelable: true }));
    }"""
    dialog.evaluate(drop, "dragenter")
    assert page.locator(".dropping").count() == 2  # the dialog, and the room that it is in
    with page.expect_response("**/api/play/read"):
        dialog.evaluate(drop, "drop")
    assert page.locator(".dropping").count() == 0
    assert page.get_by_role("dialog").count() == 1


# The editor -----------------------------------------------------------------------------------------------------------


def test_a_chess_position_is_set_up_with_the_mouse(page: Any) -> None:
    dialog = editor(page, "chess")
    dialog.get_by_text("White to move.").wait_for()
    dialog.get_by_role("button", name="Empty board").click()
    dialog.get_by_role("status").filter(has_text="White has no king").wait_for()
    assert dialog.get_by_role("button", name="Use this position").is_disabled()
    dialog.get_by_role("button", name="white king").click()
    square(dialog, "e1").click()
    drag(page, dialog.get_by_role("button", name="black king"), square(dialog, "e7"))
    drag(page, square(dialog, "e7"), square(dialog, "e8"))
    dialog.get_by_role("button", name="white rook").click()
    for name in ("h1", "a1", "b1", "c1", "d1"):
        square(dialog, name).click()
    square(dialog, "b1").click()  # again, to take it away
    square(dialog, "c1").click(button="right")
    drag(page, square(dialog, "d1"), dialog.get_by_role("heading"))  # off the board
    dialog.get_by_role("radio", name="Black").check()
    dialog.get_by_text("Black to move.").wait_for()
    assert serious_findings(page) == []
    dialog.get_by_role("button", name="Use this position").click()
    assert answer(page) == "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1"


def test_a_position_is_set_up_with_the_keyboard(page: Any) -> None:
    dialog = editor(page, "chess", "R7/8/8/8/8/8/8/4K2k w - - 0 1")
    dialog.get_by_text("White to move.").wait_for()
    square(dialog, "e1").focus()
    page.keyboard.press("ArrowUp")
    assert page.evaluate("() => document.activeElement.dataset.at") == "e2"
    page.keyboard.press("Q")
    assert square(dialog, "e2").get_attribute("aria-label") == "e2, white queen"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("p")
    page.keyboard.press("Delete")
    assert square(dialog, "d2").get_attribute("aria-label") == "d2, empty"
    assert page.evaluate("() => document.activeElement.dataset.at") == "d2"
    page.keyboard.press("Enter")  # the piece of the palette, a white pawn
    dialog.get_by_role("button", name="Use this position", disabled=False).press("Enter")
    assert answer(page) == "R7/8/8/8/8/8/3PQ3/4K2k w - - 0 1"


def test_the_side_to_move_follows_the_pieces_until_it_is_chosen(page: Any) -> None:
    dialog = editor(page, "connect-four")
    dialog.locator("[data-place='38']").click()
    dialog.get_by_text("O to move.").wait_for()
    assert dialog.get_by_role("radio", name="O").is_checked()
    dialog.locator("[data-place='0']").click()
    dialog.get_by_role("status").filter(has_text="A stone hangs in the air in column 1.").wait_for()
    dialog.get_by_role("button", name="Start position").click()
    dialog.get_by_text("X to move.").wait_for()
    dialog.get_by_role("radio", name="O").check()
    dialog.get_by_role("status").filter(has_text="With these stones X is to move").wait_for()
    page.keyboard.press("Escape")
    assert answer(page) is None


def test_an_empty_board_is_not_filled_by_a_late_start_position(page: Any) -> None:
    dialog = editor(page, "chess")
    dialog.get_by_text("White to move.").wait_for()
    held = Held(page, "**/api/play/position")
    dialog.get_by_role("button", name="Start position").click()
    late = held.wait()
    dialog.get_by_role("button", name="Empty board").click()
    dialog.get_by_role("status").filter(has_text="White has no king").wait_for()
    with page.expect_response("**/api/play/position"):
        late.continue_()
    settle(page)
    assert dialog.locator(".edited .piece").count() == 0


def test_the_side_that_the_user_chooses_is_not_changed_by_an_answer_to_an_earlier_question(page: Any) -> None:
    dialog = editor(page, "connect-four")
    dialog.get_by_text("X to move.").wait_for()
    held = Held(page, "**/api/play/set-up", most=2)
    dialog.locator("[data-place='38']").click()
    held.wait().continue_()
    late = held.wait(1)  # X cannot be to move, so the page asks for O
    for side in "OX":
        dialog.get_by_role("radio", name=side).check()
    dialog.get_by_role("status").filter(has_text="With these stones O is to move").wait_for()
    with page.expect_response("**/api/play/set-up"):
        late.continue_()
    settle(page)
    dialog.locator("[data-brush='2']").click()
    dialog.locator("[data-place='31']").click()
    dialog.get_by_text("X to move.").wait_for()


@pytest.mark.parametrize("game", ["go", "checkers", "Othello"])
def test_a_board_of_any_kind_can_be_set_up(page: Any, game: str) -> None:
    """The last is a user's own game, without a method for it."""
    dialog = editor(page, game)
    dialog.get_by_text("Black to move.").wait_for()
    dialog.get_by_role("button", name="Empty board").click()
    dialog.locator("[data-place]").nth(1).click()
    dialog.get_by_role("button", name="Use this position").click()
    text = answer(page)
    assert page.evaluate(
        "([game, start]) => import('/static/server.js').then(({ api }) => api('/api/play/position', { game, start }))",
        [game, text],
    )["view"]["cells"][:3] == [0, 1, 0]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 360)])
def test_the_dialogs_fit_the_window_and_have_no_serious_faults(open_page: Opener, scheme: str, width: int) -> None:
    page = open_page("/", color_scheme=scheme, viewport={"width": width, "height": 800})
    for opened, shown in (
        (lambda: reader(page, text=PGN), "2 games."),
        (lambda: editor(page, "chess"), "White to move."),
    ):
        dialog = opened()
        dialog.get_by_text(shown).wait_for()
        assert serious_findings(page) == []
        box = dialog.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert dialog.evaluate("e => e.scrollWidth <= e.clientWidth")
        page.keyboard.press("Escape")


def test_the_game_that_is_read_can_be_played_on(page: Any) -> None:
    reader(page, text="1. e4 e5")
    game = answer(page)
    body = json.dumps({"game": game["game"], "moves": [move["text"] for move in game["line"]]})
    shown = page.request.post("/api/play/position", data=body, headers={"Content-Type": "application/json"}).json()
    assert shown["moves"] == ["e4", "e5"]
