"""The API of the Play room: what it returns, what it refuses, and that a search stops when its client disconnects."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("httpx", reason="the tests of the page need httpx")

import httpx
from fastapi.testclient import TestClient

from plywise.engine.strength import LEVELS
from plywise.games import catalogue
from plywise.web.app import create_app
from plywise.web.guard import LARGEST_BODY
from tests.web.serving import OWN, events, interpreting, post


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with interpreting(f"{OWN}:Subtraction") as made:
        yield made


# What it answers ----------------------------------------------------------------------------------------------------


def test_all_games_are_offered_and_can_be_begun(client: TestClient) -> None:
    names = [game["name"] for game in client.get("/api/play/games").json()]
    assert names == [*catalogue(), "Subtraction"]
    for name in names:
        answer = post(client, "position", game=name)
        assert answer.status_code == 200
        assert answer.json()["legal"]


def test_the_list_of_moves_says_who_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    with TestClient(create_app([f"{OWN}:Sowing"], workers=1), base_url="http://127.0.0.1") as client:
        answer = post(client, "position", game="Sowing", moves=["2", "1", "1", "2"]).json()
        assert answer["labels"] == ["1.", "", "…", "…"]
        record = json.loads(post(client, "record", game="Sowing", moves=["2", "1", "2"]).json()["text"])
        assert record["movers"] == [0, 1, 1]
        late = post(client, "position", game="Sowing", start="5 1", moves=["2", "2"]).json()
        assert late["labels"] == ["1...", "2."]
        three = post(client, "position", game="dog-cat-mouse").json()
        played = post(client, "position", game="dog-cat-mouse", moves=[three["legal"][0]["text"]]).json()
        assert played["labels"] == [f"1. {three['players'][three['to_move']]}:"]


def test_a_class_without_a_docstring_is_not_described_by_its_signature() -> None:
    with TestClient(create_app([f"{OWN}:Slanted"], workers=1), base_url="http://127.0.0.1") as client:
        assert client.get("/api/play/games").json()[-1]["about"] == ""
        assert client.get("/api/explain/choices").json()["games"][-1]["about"] == ""


def test_a_move_is_made_by_adding_it(client: TestClient) -> None:
    answer = post(client, "position", game="chess", moves=["e2e4", "e5", "Ng1f3"]).json()
    assert answer["moves"] == ["e4", "e5", "Nf3"]
    assert answer["last"] == "g1f3"
    assert answer["to_move"] == 1
    assert answer["last_places"] == {"from": 62, "to": 45}
    view = answer["view"]
    assert view["pieces"][view["cells"][45] - 1]["name"] == "white knight"


@pytest.mark.parametrize(
    ("game", "start", "moves", "over"),
    [
        ("chess", None, ["f3", "e5", "g4", "Qh4"], "Black wins by checkmate."),
        ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", ["Qf7"], "A draw by stalemate."),
        ("chess", None, ["Nf3", "Nf6", "Ng1", "Ng8"] * 2, "A draw by repetition."),
        ("connect-four", "112233", ["4"], "X wins by four in a row."),
        ("tic-tac-toe", "XX./OO./...", ["c3"], "X wins."),
        ("go", None, ["E5", "pass", "pass"], "Black wins by 74."),
        (
            "dog-cat-mouse",
            None,
            ["sleep", "hunt", "hide"],
            "The game is over: dog gets 5, cat 8 and mouse 2.",
        ),
    ],
)
def test_the_end_of_a_game_is_told(
    client: TestClient, game: str, start: str | None, moves: list[str], over: str
) -> None:
    answer = post(client, "position", game=game, start=start, moves=moves).json()
    assert answer["over"] == over
    assert answer["legal"] == []
    assert answer["to_move"] is None


def test_a_move_tells_the_piece_it_brings_where_its_places_do_not_tell_it_from_others(client: TestClient) -> None:
    chess = post(client, "position", game="chess", start="8/4P3/8/8/8/2k5/8/4K3 w - - 0 1").json()
    named = {m["text"]: m["piece"] and chess["view"]["pieces"][m["piece"] - 1]["name"] for m in chess["legal"]}
    assert {text: piece for text, piece in named.items() if piece} == {
        "e7e8q": "white queen", "e7e8r": "white rook", "e7e8b": "white bishop", "e7e8n": "white knight",
    }  # fmt: skip
    four = post(client, "position", game="connect-four", moves=["4"]).json()
    assert {move["piece"] for move in four["legal"]} == {2}  # the disc that falls
    assert {move["piece"] for move in post(client, "position", game="kalah").json()["legal"]} == {None}


def test_the_last_move_tells_all_its_places_in_order(client: TestClient) -> None:
    asked = {"game": "checkers", "start": "B:W6,7,14,15,23:BK2"}
    assert post(client, "position", **asked).json()["last_route"] == []
    told = post(client, "position", **asked, moves=["2x11x18x27"]).json()
    names = [told["view"]["numbers"][place] for place in told["last_route"]]
    assert names == ["2", "11", "18", "27"]


def test_a_search_tells_what_it_sees_and_then_its_move(client: TestClient) -> None:
    told = events(post(client, "think", game="tic-tac-toe", start="XX./OO./...", seconds=5).text)
    assert told[1][0] == "info"
    assert {"value", "text", "depth", "nodes", "speed", "line"} <= told[1][1].keys()
    name, done = told[-1]
    assert name == "done"
    assert (done["move"], done["text"], done["proven"]) == ("c3", "+1", True)


@pytest.mark.parametrize("game", ["chess", "go", "backgammon", "dog-cat-mouse", "Subtraction"])
def test_there_is_a_move_to_play_before_the_search_has_found_one(client: TestClient, game: str) -> None:
    start = post(client, "position", game=game).json()
    name, first = events(post(client, "think", game=game, seed=start["seed"], level=1, seconds=0.05).text)[0]
    moves = {move["text"]: move["name"] for move in start["legal"]}
    assert name == "info"
    assert moves[first["move"]] == first["name"]
    assert first["line"] == [first["name"]]


def test_the_first_move_takes_what_is_offered(client: TestClient) -> None:
    hanging = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
    assert events(post(client, "think", game="chess", start=hanging, seconds=0.05).text)[0][1]["move"] == "e4d5"


@pytest.mark.parametrize("game", ["nim", "dog-cat-mouse", "go", "chess"])
def test_a_weak_level_shows_the_line_of_the_move_that_it_plays(client: TestClient, game: str) -> None:
    for _ in range(6):
        done = events(post(client, "think", game=game, level=1, seconds=0.2).text)[-1][1]
        assert done["line"][0] == done["name"]
        assert done["text"]


def test_a_slip_has_its_own_value(client: TestClient) -> None:
    found: dict[str, str] = {}
    for _ in range(100):  # every second move is a slip
        _, done = events(post(client, "think", game="tic-tac-toe", start="XX./OO./...", level=1, seconds=5).text)[-1]
        found[done["move"]] = done["text"]
        if {"a1", "c3"} <= found.keys():
            break
    assert (found["c3"], found["a1"]) == ("+1", "-1")


def test_levels_say_whether_they_use_the_time(client: TestClient) -> None:
    levels = client.get("/api/play/levels").json()
    assert [level["name"] for level in levels] == list(LEVELS)
    assert [level["name"] for level in levels if level["timed"]] == ["Full strength"]


def test_the_page_opens_with_the_users_game_if_there_is_one(client: TestClient) -> None:
    def first(client: TestClient) -> list[str]:
        return [game["name"] for game in client.get("/api/play/games").json() if game["first"]]

    assert first(client) == ["Subtraction"]
    assert first(TestClient(create_app(workers=1), base_url="http://127.0.0.1")) == []


def test_a_win_is_seen_to_its_end_and_not_to_depth_1000(client: TestClient) -> None:
    mate_in_2 = "7k/8/8/8/8/6R1/5R2/K7 b - - 0 1"
    _, done = events(post(client, "think", game="chess", start=mate_in_2, seconds=5).text)[-1]
    assert (done["text"], done["depth"], done["to_end"], done["plies"]) == ("White mates in 1", None, True, 2)
    _, done = events(post(client, "think", game="kalah", depth=2).text)[-1]
    assert (done["depth"], done["to_end"], done["plies"]) == (2, False, None)


def test_a_move_that_repetition_forbids_is_not_offered_and_refused(client: TestClient) -> None:
    asked = {"game": "go", "parameters": "3,superko=true", "moves": ["C1", "B3", "A2", "A1", "B1", "B2", "A3", "A1"]}
    told = post(client, "position", **asked).json()
    assert [move["text"] for move in told["legal"]] == ["A3", "C3", "C2", "pass"]
    answer = post(client, "position", **{**asked, "moves": [*asked["moves"], "A2"]})
    assert (answer.status_code, "it repeats an earlier position" in answer.text) == (422, True)


def test_a_value_that_is_not_proven_is_an_estimate(client: TestClient) -> None:
    _, done = events(post(client, "think", game="kalah", depth=1).text)[-1]
    assert (done["text"], done["proven"]) == ("estimate: South by 1 stone", False)
    _, done = events(post(client, "think", game="kalah", start="0,0,0,0,0,1,23/0,0,0,0,0,1,23 S", seconds=5).text)[-1]
    assert done["proven"]
    assert not done["text"].startswith("estimate")


@pytest.mark.parametrize("game", ["dog-cat-mouse", "Subtraction", "red-blue", "nim"])
@pytest.mark.parametrize("level", [1, len(LEVELS)])
def test_every_game_is_answered_at_every_strength(client: TestClient, game: str, level: int) -> None:
    legal = [move["text"] for move in post(client, "position", game=game).json()["legal"]]
    told = events(post(client, "think", game=game, level=level, seconds=0.1).text)
    assert told[-1][0] == "done"
    assert told[-1][1]["move"] in legal


def test_a_game_is_searched_in_plain_python_until_it_is_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLYWISE_INTERPRET", raising=False)
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    with TestClient(create_app(workers=1), base_url="http://127.0.0.1") as client:
        name, found = events(post(client, "think", game="red-blue").text)[-1]
        assert (name, found["compiled"]) == ("done", False)
        *progress, done = events(post(client, "prepare", game="red-blue").text)
        assert done == ("done", {})
        assert {name for name, _ in progress} == {"progress"}
        assert all(0 <= data["share"] < 1 and data["left"] >= 0 for _, data in progress if data["share"] is not None)
        name, found = events(post(client, "think", game="red-blue").text)[-1]
        assert (name, found["compiled"]) == ("done", True)


def test_a_game_that_was_prepared_is_searched_in_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLYWISE_INTERPRET", raising=False)
    with TestClient(create_app(workers=1), base_url="http://127.0.0.1") as client:
        assert events(post(client, "prepare", game="red-blue").text)[-1] == ("done", {})
        told = events(post(client, "think", game="red-blue").text)
        assert {name for name, _ in told} == {"info", "done"}  # nothing was compiled
        assert told[-1][1]["line"] == ["B", "R", "R"]


def test_a_game_is_written_down(client: TestClient) -> None:
    chess = post(client, "record", game="chess", moves=["e4", "e5"], names=["Person", "plywise"]).json()
    assert chess["name"].endswith(".pgn")
    assert '[Black "plywise"]' in chess["text"]
    assert "1. e4 e5 *" in chess["text"]
    other = post(client, "record", game="connect-four", start="112233", moves=["4"]).json()
    assert json.loads(other["text"])["result"] == "X wins by four in a row."


# What it refuses ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "body", "sentence"),
    [
        ("position", {"game": "shogi"}, "there is no game 'shogi'"),
        ("position", {"game": "os:system"}, "there is no game 'os:system'"),
        ("position", {"game": OWN}, "there is no game"),
        ("position", {"game": "nim", "parameters": "100"}, "may be at most 99"),
        ("position", {"game": "nim", "parameters": ",".join(["99"] * 9)}, "more than 400 moves"),
        ("position", {"game": "chess", "parameters": "weights_file=/etc/passwd"}, "a parameter must be a number"),
        ("position", {"game": "tic-tac-toe", "parameters": "4"}, "one parameter too many"),
        ("position", {"game": "tic-tac-toe", "start": "XXXX"}, "is not a position"),
        ("position", {"game": "tic-tac-toe", "moves": ["z9"]}, "is not a legal move"),
        ("position", {"game": "chess", "moves": ["e4"] * 1001}, "at most 1000 items"),
        ("position", {"game": "chess", "more": 1}, "Extra inputs"),
        ("position", {}, "game: Field required"),
        ("think", {"game": "chess", "seconds": 3600}, "less than or equal to 60"),
        ("think", {"game": "chess", "level": 9}, "less than or equal to 8"),
        ("think", {"game": "chess", "depth": 1000}, "less than or equal to 100"),
        ("think", {"game": "tic-tac-toe", "start": "XXX/OO./..."}, "the game is over"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    client: TestClient, what: str, body: dict[str, Any], sentence: str
) -> None:
    answer = post(client, what, **body)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]


def test_a_mistake_in_somebodys_own_game_is_told(client: TestClient) -> None:
    answer = post(client, "position", game="Subtraction", start="nonsense")
    assert answer.status_code == 422


def test_large_bodies_are_refused(client: TestClient) -> None:
    answer = client.post("/api/play/position", content=b" " * (LARGEST_BODY + 1))
    assert answer.status_code == 413
    unannounced = (b" " * 100_000 for _ in range(LARGEST_BODY // 100_000 + 2))
    assert client.post("/api/play/position", content=unannounced).status_code == 400


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
def test_a_search_that_needs_too_much_memory_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    app = create_app([f"{OWN}:Avalanche"], workers=1, worker_mb=600)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        for what, body in (("play/prepare", {"game": "Avalanche"}), ("explain", {"game": "Avalanche", "depth": 2})):
            assert "this needs more than the 600 MB of memory that a search may use" in client.post(
                f"/api/{what}", json=body
            ).text  # fmt: skip
        assert events(post(client, "think", game="tic-tac-toe", seconds=0.1).text)[-1][0] == "done"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "localhost:8017"}, 200),
        ({"Host": "[::1]:8017"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Host": ""}, 403),
        ({"Host": "127.0.0.1", "Origin": "http://evil.example"}, 403),
        ({"Host": "127.0.0.1", "Origin": "null"}, 403),
        ({"Host": "127.0.0.1", "Origin": "http://["}, 403),
        ({"Host": "127.0.0.1", "Content-Length": "9" * 5000}, 413),
        ({"Host": "127.0.0.1", "Origin": "http://127.0.0.1"}, 200),
    ],
)
def test_only_the_page_itself_is_served(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.get("/api/play/games", headers=headers).status_code == status


def test_a_browser_is_told_to_run_nothing_but_our_files(client: TestClient) -> None:
    for path in ("/", "/static/main.js", "/api/play/games", "/nothing"):
        policy = client.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy


def test_files_outside_of_the_page_are_not_served(client: TestClient) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"):
        assert client.get(path).status_code in (403, 404)


# What happens at the same time --------------------------------------------------------------------------------------


def test_a_page_that_is_left_ends_its_search(address: str) -> None:
    long = {"game": "connect-four", "seconds": 60}
    with httpx.stream("POST", address + "think", json=long, timeout=30) as thinking:
        next(thinking.iter_lines())
    begun = time.monotonic()
    told = events(httpx.post(address + "think", json={"game": "nim", "level": 1}, timeout=30).text)
    assert told[-1][0] == "done"
    assert time.monotonic() - begun < 10


def test_positions_are_answered_while_a_search_runs_and_others_wait(address: str) -> None:
    long = {"game": "connect-four", "seconds": 60}
    with httpx.stream("POST", address + "think", json=long, timeout=30) as thinking:
        first = thinking.iter_lines()
        next(first)
        with httpx.stream("POST", address + "think", json={"game": "nim", "level": 1}, timeout=30) as waiting:
            lines = waiting.iter_lines()
            assert [next(lines) for _ in range(3)][::2] == ["event: info", ""]
            assert [next(lines), "Waiting" in next(lines)] == ["event: status", True]
            assert httpx.post(address + "position", json={"game": "nim"}).status_code == 200
