"""A user's own game shows its title, its wording and its board wherever plywise shows a game."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.explain.story import story
from plywise.inputs.choose import choose_game
from tests.cli.support import plywise

FOLDER = Path(__file__).parent
KALAH, GOMOKU, OTHELLO = (str(FOLDER / f"{name}.py") for name in ("kalah", "gomoku", "othello"))

KALAH_BOARD = """\
       2   2   2
   0               0
       2   2   2"""
GOMOKU_BOARD = """\
1 . . .
2 . x .
3 . . o
4 . . .
  a b c"""


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")


def test_a_board_of_pits_and_words_about_stones_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    played = plywise(capsys, "play", KALAH, "--side", "none", "--depth", "30").out
    assert played.startswith("Little Kalah\n")
    assert KALAH_BOARD in played
    assert "plays 2: value " in played
    assert played.endswith(" stones.\n")
    solved = plywise(capsys, "solve", KALAH)
    value = pw.solve(choose_game(KALAH)).value
    assert solved.out.startswith(
        f"Little Kalah\n\n{KALAH_BOARD}\n\nvalue     {value} (proven), South by {value} stones\n"
    )


def test_points_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    game = choose_game(GOMOKU)
    state = game.initial()
    for move in ("b2", "c3"):
        state = game.play(state, game.parse_move(state, move))
    assert game.board(state) == GOMOKU_BOARD
    assert plywise(capsys, "solve", GOMOKU, "--position", game.format(state)).out.startswith(
        f"Small Gomoku\n\n{GOMOKU_BOARD}\n"
    )


@pytest.mark.parametrize(
    ("file", "title", "drawn"), [(OTHELLO, "Othello", 5), (GOMOKU, "Small Gomoku", 1), (KALAH, "Little Kalah", 8)]
)
def test_a_drawing_has_the_title_and_small_boards(
    file: str, title: str, drawn: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plywise(capsys, "tree", file, "--depth", "1", "--svg", "tree.svg").code == 0
    picture = Path("tree.svg").read_text(encoding="utf-8")
    assert f"on {title}, to depth 1" in picture
    nodes = picture.split('<g class="node')[1:]
    assert nodes[1].count("<circle") == drawn  # a disc for each stone, or for each pit


def test_a_story_has_the_board_in_integers() -> None:
    game = choose_game(OTHELLO)
    told = story(pw.search(game, depth=1, algorithm="alphabeta", record=True))
    assert told["title"] == "Alpha-beta on Othello, to depth 1"
    assert told["board"]["pieces"][0]["name"] == "black disc"
    assert sum(cell > 0 for cell in told["visits"][1]["cells"]) == 5


def test_the_page_gets_the_board_and_the_places_of_moves() -> None:
    pytest.importorskip("fastapi", reason="the page needs the extra web")
    pytest.importorskip("httpx", reason="the tests of the page need httpx")
    from fastapi.testclient import TestClient

    from plywise.web.app import create_app

    with TestClient(create_app([KALAH, GOMOKU], workers=1), base_url="http://127.0.0.1") as client:

        def shown(game: str, *moves: str) -> Any:
            return client.post("/api/play/position", json={"game": game, "moves": moves}).json()

        titles = [game["title"] for game in client.get("/api/play/games").json()]
        assert titles[-2:] == ["Little Kalah (yours)", "Small Gomoku (yours)"]
        kalah = shown("Kalah")
        assert (kalah["view"]["kind"], kalah["view"]["stores"]) == ("pits", True)
        assert [move["places"] for move in kalah["legal"]] == [{"from": 3 + pit, "taken": 2} for pit in range(3)]
        gomoku = shown("Gomoku", "b2", "a1")
        assert gomoku["view"]["kind"] == "points"
        assert gomoku["last_places"] == {"to": 0}
        over = shown("Gomoku", "b2", "a1", "b3", "a2", "b1")
        assert (over["over"], over["view"]["marked"]) == ("Black wins by 3 in a row.", [1])
        assert json.dumps(over)
