"""The API of the Explain room: stories, drawings, and a sentence for every refusal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.explain import story
from plywise.explain.lettering import lettered
from plywise.games import RedBlue, Tree
from tests.web.support import crash, double, sleep

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("httpx", reason="the test client needs httpx")

NINE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    from fastapi.testclient import TestClient

    from plywise.web.app import create_app

    own = Path(__file__).with_name("own_game.py")
    with TestClient(create_app([f"{own}:Faulty"]), base_url="http://127.0.0.1") as client:
        yield client


def recorded(game: pw.Game, algorithm: str, **options: Any) -> pw.Result:
    with pw.interpreted():
        return pw.search(game, algorithm=algorithm, record=True, **options)


def plain(told: dict[str, Any]) -> Any:
    """A story as it is after a journey through JSON."""
    return json.loads(json.dumps(told))


def test_choices_name_games_trees_and_algorithms(client: Any) -> None:
    choices = client.get("/api/explain/choices").json()
    usual = {game["name"]: game["algorithm"] for game in choices["games"]}
    assert usual["red-blue"] == usual["chess"] == "alphabeta"
    assert usual["dog-cat-mouse"] == "maxn"
    played = {card["name"]: card["title"] for card in client.get("/api/play/games").json()}
    explained = {game["name"]: game["title"] for game in choices["games"]}
    assert played == explained  # every room says the same
    assert [played[name] for name in ("connect-four", "tic-tac-toe", "Faulty")] == [
        "Connect Four", "Tic-tac-toe", "Faulty (yours)",
    ]  # fmt: skip
    titles = {each["name"]: each["title"] for each in choices["algorithms"]}
    assert [titles[name] for name in ("alphabeta", "pvs", "mtdf")] == [
        "Alpha-beta", "Principal variation search", "MTD(f)",
    ]  # fmt: skip
    assert all(title[0].isupper() and "_" not in title for title in titles.values())
    alphabeta = next(each for each in choices["algorithms"] if each["name"] == "alphabeta")
    assert alphabeta["options"] == {"alpha": None, "beta": None, "strict": False}
    for tree in choices["trees"]:
        answer = client.post("/api/explain", json={"tree": tree["tree"], "algorithm": tree["algorithm"]})
        assert answer.status_code == 200


def test_a_story_is_that_of_the_search(client: Any) -> None:
    told = client.post("/api/explain", json={"game": "red-blue", "algorithm": "pvs"}).json()
    assert told == plain(story(recorded(RedBlue(), "pvs")))


def test_two_searches_of_one_tree_have_the_same_places(client: Any) -> None:
    wish = {"tree": NINE, "algorithm": "alphabeta", "beside": {"algorithm": "minimax"}}
    first, second = client.post("/api/explain/compare", json=wish).json()
    assert [first["by"], second["by"]] == ["alpha-beta", "minimax"]
    at = [dict(zip(told["places"], told["drawings"][0]["x"], strict=True)) for told in (first, second)]
    assert at[0] == at[1]
    assert len(at[0]) == first["size"] == second["size"] == 13
    wish["beside"] = {"algorithm": "guess"}
    assert "there is no algorithm 'guess'" in client.post("/api/explain/compare", json=wish).json()["detail"]


def test_options_are_those_of_the_algorithm(client: Any) -> None:
    wish = {"tree": NINE, "algorithm": "alphabeta", "options": {"strict": True, "alpha": 4}}
    told = client.post("/api/explain", json=wish).json()
    assert told == plain(story(recorded(lettered(Tree.from_text(NINE)), "alphabeta", strict=True, alpha=4)))


def test_a_position_is_searched_to_the_depth_asked_for(client: Any) -> None:
    wish = {"game": "tic-tac-toe", "position": "XO./.X./..O", "depth": 2}
    told = client.post("/api/explain", json=wish).json()
    assert told["visits"][0]["position"] == "XO./.X./..O"
    assert told["title"] == "Alpha-beta on Tic-tac-toe, to depth 2"


@pytest.mark.parametrize(
    ("wish", "title"),
    [
        ({"game": "connect-four", "depth": 1}, "Connect Four, to depth 1"),
        (
            {"game": "connect-four", "parameters": "4,4", "depth": 1},
            "Connect Four with width 4 and height 4, to depth 1",
        ),
        ({"game": "nim", "parameters": "1,2,misere=true"}, "Nim with heaps 1 2 and misere, to the end"),
        ({"tree": "[3, [2, 4]]"}, "a tree of 5 nodes, 3 leaves, to the end"),
    ],
)
def test_a_title_has_the_game_and_its_parameters_in_words(client: Any, wish: dict[str, Any], title: str) -> None:
    assert client.post("/api/explain", json=wish).json()["title"] == f"Alpha-beta on {title}"


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"tree": "[[3, 5], [2"}, "not a tree"),
        ({"tree": "3 5"}, "nested lists such as"),
        ({"tree": "[" * 5000}, "recursion"),
        ({"tree": "[" * 100 + "1" + "]" * 100}, "100 plies high"),
        ({"tree": "[1e999, 2]"}, "not a value"),
        ({"tree": "[" + "1," * 300_000 + "1]"}, "at most 500000 characters"),
        ({"game": "os"}, "there is no game 'os'"),
        ({"game": "os.path:join"}, "there is no game"),
        ({"game": "mnk", "parameters": "4,4,9"}, "is not possible"),
        ({"position": "XYZ"}, "not a position"),
        ({"position": "BRB"}, "the game is over"),
        ({"depth": 0}, "greater than or equal to 1"),
        ({"depth": 61}, "less than or equal to 60"),
        ({"game": "tic-tac-toe", "algorithm": "minimax", "depth": 7}, "more than 20,000 positions"),
        ({"algorithm": "guess"}, "there is no algorithm 'guess'"),
        ({"algorithm": "engine", "depth": 2}, "cannot record"),
        ({"algorithm": "boolean"}, "needs goal="),
        ({"algorithm": "maxn", "options": {"strict": True}}, "no option"),
        ({"options": {"alpha": 5, "beta": 1}}, "must be below"),
        ({"algorithm": "memo", "options": {"table_mb": 1e9}}, "cannot be set here"),
        ({"options": {"alpha": "x" * 10}}, "options"),
        ({"file": "/etc/passwd"}, "not permitted"),
    ],
)
def test_what_cannot_be_gets_a_sentence(client: Any, wish: dict[str, Any], says: str) -> None:
    answer = client.post("/api/explain", json=wish)
    assert answer.status_code == 422
    assert says in answer.json()["detail"]


def test_a_mistake_in_a_tree_has_its_place(client: Any) -> None:
    answer = client.post("/api/explain", json={"tree": "[[3, 5],\n [2, x]]"}).json()
    assert answer["detail"] == "this is not a tree: line 2, column 6: a number, a list or an object is missing here"
    assert answer["place"] == {
        "start": 14, "end": 15, "line": 2, "column": 6, "text": " [2, x]]", "caret": 5, "length": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "media_type", "begins"),
    [
        ("svg", "image/svg+xml", b"<svg"),
        ("tikz", "text/x-tex", b"\\documentclass"),
        ("dot", "text/vnd.graphviz", b"digraph"),
    ],
)
def test_drawings_are_files(client: Any, kind: str, media_type: str, begins: bytes) -> None:
    answer = client.post("/api/explain/drawing", json={"tree": NINE, "format": kind, "steps": 9})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media_type)
    assert answer.content.startswith(begins)


def test_a_drawing_of_a_step_has_only_what_was_seen_by_then(client: Any) -> None:
    early, late = (
        client.post("/api/explain/drawing", json={"tree": NINE, "format": "svg", "steps": steps}).text
        for steps in (5, None)
    )
    assert len(early) < len(late)


def test_drawings_that_are_too_large_are_refused(client: Any) -> None:
    wish = {"game": "tic-tac-toe", "algorithm": "minimax", "depth": 4, "format": "svg"}
    answer = client.post("/api/explain/drawing", json=wish)
    assert answer.status_code == 422
    assert "a file may have 3,000" in answer.json()["detail"]
    assert client.post("/api/explain/drawing", json={**wish, "widest": 2}).status_code == 200


def test_an_own_game_that_fails_is_somebody_s_mistake(client: Any) -> None:
    answer = client.post("/api/explain", json={"game": "Faulty"})
    assert answer.status_code == 422
    assert answer.json()["detail"] == "the game Faulty failed: ZeroDivisionError: integer division or modulo by zero"


def test_a_failure_of_ours_is_told_in_a_sentence(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.web.explain_room.tell", crash)
    answer = client.post("/api/explain", json={"game": "red-blue"})
    assert answer.status_code == 500
    assert answer.json()["detail"].startswith("The search failed: ")


class Leaving:
    """A request whose page is left after a few looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    async def is_disconnected(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def test_a_page_left_behind_stops_its_work() -> None:
    from starlette.requests import ClientDisconnect

    from plywise.web.bodies import while_wanted
    from plywise.web.workers import Workers

    async def leave() -> None:
        workers = Workers(count=1)
        try:
            with pytest.raises(ClientDisconnect):
                await while_wanted(Leaving(3), workers.run(sleep, 60, seconds=60))  # type: ignore[arg-type]
            answer, _ = await while_wanted(Leaving(10**6), workers.run(double, 4, seconds=30))  # type: ignore[arg-type]
            assert answer == 8
        finally:
            workers.close()

    asyncio.run(leave())


def test_a_label_that_is_too_long_is_refused(client: Any) -> None:
    tree = json.dumps({"player": "max", "children": [{"move": "x" * 400_000, "value": 1}, 2]})
    for path, more in (("", {}), ("/drawing", {"format": "svg"})):
        answer = client.post(f"/api/explain{path}", json={"tree": tree, **more})
        assert answer.status_code == 422
        assert answer.json()["detail"] == "root: a move has 400,000 characters; at most 200 are allowed"
