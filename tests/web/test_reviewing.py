"""The review of a game over the network: an event for every position, a verdict on every move, a tally at the end."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("httpx", reason="the tests of the page need httpx")

import httpx
from fastapi.testclient import TestClient

import plywise as pw
from plywise.web.app import create_app
from plywise.web.offered_games import Games
from plywise.web.reviewing import ReviewOrder, review_game
from plywise.web.thinking import Played
from plywise.web.worker import Job
from tests.web.serving import Reader, events, interpreting, served

OWN = Path(__file__).with_name("own_game.py")


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with interpreting(f"{OWN}:Sowing") as made:
        yield made


def reviewed(client: TestClient, **body: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the data of all positions, in the order in which they came, and of the end."""
    told = events(client.post("/api/play/review", json=body).text)
    name, done = told[-1]
    assert name == "done", told
    return [data for name, data in told if name == "ply"], done


def test_every_position_comes_once_from_the_last_to_the_first(client: TestClient) -> None:
    moves = ["a1", "b1", "c3", "b2"]
    plies, done = reviewed(client, game="tic-tac-toe", moves=moves, seconds=5.0)
    assert [each["ply"] for each in plies] == [4, 3, 2, 1, 0]
    by_ply = plies[::-1]
    assert [each["verdict"] for each in by_ply] == [None, "missed draw", "missed win", None, None]
    assert [each["played"] for each in by_ply] == [*moves, None]
    assert [each["value"] for each in by_ply] == [0, 0, 1, 0, 0]
    assert [each["mover"] for each in by_ply] == [0, 1, 0, 1, 0]
    assert all(each["proven"] for each in plies)
    assert by_ply[2]["comment"].startswith("Missed win: it is now a draw. Best was ")
    assert by_ply[2]["best"]["name"] == by_ply[2]["best"]["line"][0]
    assert by_ply[2]["best"]["text"] in {"a3", "a2", "b2"}
    assert by_ply[2]["best"]["places"].keys() == {"to"}
    assert [player["player"] for player in done["players"]] == ["X", "O"]
    assert done["players"][0]["verdicts"] == {"missed win": 1}


def test_a_finished_game_and_a_start_position(client: TestClient) -> None:
    plies, _ = reviewed(client, game="tic-tac-toe", start="XX./OO./...", moves=["c3"], seconds=5.0)
    assert plies[0]["text"] == "X wins."
    assert plies[0]["best"] is plies[0]["played"] is plies[0]["mover"] is None
    assert plies[1]["verdict"] is None


def test_players_of_other_games_are_reviewed_too(client: TestClient) -> None:
    for game, moves, more in (
        ("Sowing", ["2", "1"], {}),
        ("go", ["C3", "B2"], {"parameters": "5,5"}),
        ("pig", ["roll"], {"seed": 3}),
        ("chess", ["e4", "e5"], {}),
    ):
        plies, done = reviewed(client, game=game, moves=moves, seconds=0.1, **more)
        assert len(plies) >= len(moves) + 1
        assert sum(player["moves"] for player in done["players"]) >= len(moves)
        assert all(each["played"] for each in plies[1:])


def test_refusals_are_sentences(client: TestClient) -> None:
    def refused(**body: Any) -> str:
        answer = client.post("/api/play/review", json=body)
        assert answer.status_code in (400, 422)
        return str(answer.json()["detail"])

    assert "two players" in refused(game="dog-cat-mouse")
    assert "not a legal move" in refused(game="tic-tac-toe", moves=["z9"])
    long = {"game": "kalah", "moves": ["F", "f"], "seconds": 10.0}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plywise.web.play_room.LONGEST_REVIEW", 20.0)
        assert refused(**long) == "3 positions at 10 seconds take too long: at most 6.7 are allowed"
    refused(game="tic-tac-toe", seconds=1000.0)


def test_reviews_wait_for_each_other_and_leave_a_worker_for_moves() -> None:
    app = create_app(workers=3)
    moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5", "Bb3", "d6", "c3", "O-O"]
    long = {"game": "chess", "moves": moves, "seconds": 1.0}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYWISE_INTERPRET", "1")
        with served(app) as address, contextlib.ExitStack() as stack:

            def begin() -> tuple[contextlib.ExitStack, Reader]:
                mine = stack.enter_context(contextlib.ExitStack())
                response = mine.enter_context(httpx.stream("POST", address + "review", json=long, timeout=60))
                return mine, Reader(response)

            running = [begin(), begin()]
            for _, reader in running:
                reader.next("ply")
            (left, _), (_, next_one) = waiting = begin(), begin()
            for _, reader in waiting:
                assert reader.next("status") == {"text": "Waiting for another review to finish."}
            move = {"game": "tic-tac-toe", "seconds": 0.05}
            told = events(httpx.post(address + "think", json=move, timeout=30).text)
            assert told[-1][0] == "done"
            assert "Waiting" not in str(told)
            left.close()  # its place in line goes to the next
            running[0][0].close()
            assert next_one.next("status") == {"text": ""}
            next_one.next("ply")
        assert app.state.reviews.free == 2


def test_a_review_ends_when_its_client_has_left() -> None:
    told = list[Any]()

    def tell(message: Any) -> None:
        told.append(message)
        if len(told) == 2:
            job.stop()

    job = Job(Games(), tell, {})
    order = ReviewOrder(Played("chess", "", None, ("e4", "e5", "Nf3", "Nc6"), None), 0.05)
    with pw.interpreted():
        review_game(job, order, ready=True)
    assert [data["ply"] for _, data in told] == [4, 3]
