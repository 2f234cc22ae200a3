"""The engine's own search in the Explain room: the one just made, or a new one; other algorithms' where they play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("httpx", reason="the test client needs httpx")

from fastapi.testclient import TestClient

from tests.web.serving import events, interpreting

OWN = Path(__file__).with_name("own_game.py")


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with interpreting(f"{OWN}:Sowing", f"{OWN}:Faulty") as made:
        yield made


def shown(client: TestClient, **wish: Any) -> dict[str, Any]:
    answer = client.post("/api/explain/engine", json=wish)
    assert answer.status_code == 200, answer.text
    return answer.json()


def nodes_of(story: dict[str, Any]) -> str:
    return str(story["steps"][0]["text"].partition("through ")[2].partition(" in ")[0])


def test_the_search_that_the_play_room_has_just_made_is_shown(client: TestClient) -> None:
    wish = {"game": "connect-four", "moves": ["4", "4"], "seconds": 0.3, "session": "abc"}
    done = dict(events(client.post("/api/play/think", json=wish).text))["done"]
    told = shown(client, game="connect-four", position="44", session="abc", nodes=1)
    assert nodes_of(told) == f"{done['nodes']:,} positions"
    assert [told["visits"][number]["move"] for number in told["line"][1:]] == done["line"][: len(told["line"]) - 1]
    again = shown(client, game="connect-four", position="44", session="abc", nodes=1)
    assert nodes_of(again) == nodes_of(told)
    moved = shown(client, game="connect-four", moves=["4", "4"], session="abc", nodes=1)
    assert nodes_of(moved) == nodes_of(told)
    other = shown(client, game="connect-four", position="445", session="abc", nodes=60)
    assert nodes_of(other) != nodes_of(told)
    stranger = shown(client, game="connect-four", position="44", session="xyz", nodes=60)
    assert nodes_of(stranger) != nodes_of(told)


KO = ["C1", "B3", "A2", "A1", "B1", "B2", "A3", "A1"]
"""Moves in Go on 3 by 3 points, after which superko forbids A2."""


def test_the_tree_that_the_play_room_has_just_grown_is_shown(client: TestClient) -> None:
    wish: dict[str, Any] = {"game": "go", "parameters": "3,superko=true", "moves": KO, "session": "abc"}
    done = dict(events(client.post("/api/play/think", json={**wish, "seconds": 0.3}).text))["done"]
    told = shown(client, **wish, nodes=1)
    assert nodes_of(told) == f"{done['nodes']:,} positions"
    assert told["visits"][told["line"][1]]["move"] == done["name"]
    assert nodes_of(shown(client, **{**wish, "session": "xyz"}, nodes=60)) != nodes_of(told)


def test_a_new_search_knows_the_positions_that_must_not_be_repeated(client: TestClient) -> None:
    wish: dict[str, Any] = {"game": "go", "parameters": "3,superko=true"}
    text = client.post("/api/play/position", json={**wish, "moves": KO}).json()["text"]

    def ending(**led: Any) -> str | None:
        told = shown(client, **wish, **led, nodes=5000)
        row = next(visit["rows"] for visit in told["visits"] if visit["parent"] == 0 and visit["move"] == "A2")
        return dict(row).get("End")

    assert ending(moves=KO) == "White wins by repetition."
    assert ending(position=text) is None


def test_the_same_nodes_show_the_same_tree(client: TestClient) -> None:
    wish = {"game": "tic-tac-toe", "position": "X../.O./...", "nodes": 500, "seconds": 20.0}
    one, two = (shown(client, **wish, session=session) for session in ("one", "two"))
    assert one["visits"] == two["visits"]
    assert one["algorithm"] == "engine"


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [("go", "mcts"), ("dog-cat-mouse", "maxn"), ("Sowing", "engine"), ("pig", "engine"), ("red-blue", "engine")],
)
def test_every_game_shows_the_search_that_plays_it(client: TestClient, game: str, algorithm: str) -> None:
    told = shown(client, game=game, parameters="5,5" if game == "go" else "", seconds=0.2)
    assert told["algorithm"] == algorithm
    assert told["steps"]


def test_refusals_are_sentences(client: TestClient) -> None:
    def refused(**wish: Any) -> str:
        answer = client.post("/api/explain/engine", json=wish)
        assert answer.status_code in (400, 422)
        return str(answer.json()["detail"])

    assert "over" in refused(game="tic-tac-toe", position="XXX/OO./...")
    assert "position" in refused(game="tic-tac-toe", position="nonsense")
    assert "no game" in refused(game="nowhere")
    assert "Faulty" in refused(game="Faulty", seconds=0.1)
    assert "over" in refused(game="tic-tac-toe", position="XX./OO./...", moves=["c3"])
    assert "not a legal move" in refused(game="tic-tac-toe", moves=["z9"])
    refused(game="tic-tac-toe", seconds=1000.0)
