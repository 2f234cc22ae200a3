"""*Download* in a browser: the file has what the list of moves shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.play_room import (
    OVER,
    Opener,
    choose_clock,
    open_text,
    room,
    type_moves,
    wait_for_address,
    wait_for_moves,
    wait_for_turn,
)

PGN = """[Event "A \\"cup\\""]
[Site "?"]
[Date "2024.01.02"]
[Round "?"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[ECO "C20"]

{An example} 1. e4 e5 {solid} (1... c5 $1 2. Nf3 (2. c3 {quiet}) 2... d6) (1...
e6) 2. Nf3 $14 1-0
"""


def downloaded(page: Any) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    return Path(download.value.path()).read_text(encoding="utf-8")


def test_a_file_that_is_opened_is_saved_as_it_was(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both")
    open_text(page, PGN)
    wait_for_moves(page, 8)
    assert downloaded(page) == PGN
    page.reload()
    wait_for_moves(page, 8)
    assert downloaded(page) == PGN
    page.get_by_role("region", name="Moves of this game").press("Home")
    wait_for_address(page, moves=None)
    type_moves(page, "d4")
    saved = downloaded(page)
    assert "1. e4 (1. d4) 1... e5 {solid}" in saved
    assert saved.endswith("2. Nf3 $14 1-0\n")


def test_a_result_goes_with_the_main_line_that_it_is_of(open_page: Opener) -> None:
    page = room(open_page, "chess", side="both")
    open_text(page, PGN)
    wait_for_moves(page, 8)
    type_moves(page, "Nc6")
    saved = downloaded(page)
    assert saved.endswith("2. Nf3 $14 Nc6 *\n")
    assert '[Result "*"]' in saved
    assert '[White "Ann"]' in saved
    for left in (8, 7):
        page.get_by_role("button", name="Undo").click()
        page.wait_for_function("n => document.querySelectorAll('.moves .move').length === n", arg=left)
    assert downloaded(page).endswith(" *\n")


def test_the_result_of_a_go_game_is_dropped_with_its_line(open_page: Opener) -> None:
    page = room(open_page, "go", side="both")
    open_text(page, "(;GM[1]FF[4]SZ[5]RE[B+R];B[cc];W[bb])")
    wait_for_moves(page, 2)
    assert "RE[B+R]" in downloaded(page)
    type_moves(page, "D3")
    assert "B+R" not in downloaded(page)


@pytest.mark.parametrize(("game", "result"), [("chess", "0-1"), ("checkers", "1-0")])
def test_a_resignation_is_saved(open_page: Opener, game: str, result: str) -> None:
    page = room(open_page, game)
    type_moves(page, {"chess": "e4", "checkers": "11-15"}[game])
    wait_for_moves(page, 2)
    wait_for_turn(page)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.wait_for_selector(OVER)
    assert f'[Result "{result}"]' in downloaded(page)
    page.reload()
    page.wait_for_selector(OVER)
    assert f'[Result "{result}"]' in downloaded(page)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => !document.querySelector('.moves .move')")
    assert '[Result "*"]' in downloaded(page)


def test_a_loss_on_time_is_saved(open_page: Opener) -> None:
    page = room(open_page, "chess")
    page.clock.install()
    choose_clock(page, "1+0")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("timer", name="Time of White").wait_for()
    page.clock.run_for(61_000)
    page.wait_for_selector(OVER)
    assert '[Result "0-1"]' in downloaded(page)


def test_the_verdicts_of_a_review_are_saved(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both", start="XX./OO./...")
    type_moves(page, "c1")
    assert "line" not in json.loads(downloaded(page))
    page.get_by_role("button", name="Review").click()
    page.locator(".moves .judged").first.wait_for()
    saved = json.loads(downloaded(page))
    (move,) = saved["line"]
    assert (move["text"], move["nags"]) == ("c1", [4])
    assert move["comment"].startswith("Blunder: O now wins. Best was c3")
    open_text(page, json.dumps(saved))
    page.locator(".moves .comment").filter(has_text="Blunder").wait_for()
    assert json.loads(downloaded(page)) == saved
    review(page)
    assert json.loads(downloaded(page)) == saved  # once, not twice


def review(page: Any) -> None:
    page.get_by_role("button", name="Review").click()
    page.locator(".record .remark", has_text="the best.").wait_for()


def test_a_review_replaces_an_earlier_one_and_leaves_what_the_author_wrote(open_page: Opener) -> None:
    page = room(open_page, "tic-tac-toe", side="both")
    earlier = "Inaccuracy: +0.5 became 0. Best was a1 (+0.5)."
    line = [
        {"text": "c3", "comment": f"{earlier} A corner", "nags": [6, 14]},
        {"text": "a3", "comment": "Mistake: I like it.", "nags": [1]},
    ]
    moves = {"moves": ["c3", "a3"], "movers": [0, 1], "line": line}
    open_text(page, json.dumps({"game": "TicTacToe()", "start": ".O./.X./.XO", **moves}))
    wait_for_moves(page, 2)
    review(page)
    first, second = json.loads(downloaded(page))["line"]
    assert (first["comment"], first["nags"]) == ("A corner", [14])
    verdict = "(Missed draw|Blunder): X now wins. "  # the draw is proven, or only likely if the machine is busy
    assert re.fullmatch(rf"{verdict}Best was a1 \(0\)\. Mistake: I like it\.", second["comment"])
    assert second["nags"] == [1]
    assert page.locator(".moves .judged").inner_text() == "a3!"
