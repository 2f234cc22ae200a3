"""*Download* in a browser: the file has what the list of moves shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.browser.test_analysis import Opener, open_text, type_moves, wait_for_address
from tests.browser.test_play import room, wait_for_moves

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
    type_moves(page, "Nc6")
    page.get_by_role("region", name="Moves of this game").press("Home")
    wait_for_address(page, moves=None)
    type_moves(page, "d4")
    assert "1. e4 (1. d4) 1... e5 {solid}" in downloaded(page)
    assert "2. Nf3 $14 Nc6 1-0" in downloaded(page)


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
