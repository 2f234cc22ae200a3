"""Games with dice in the Play room: the server rolls, from a seed, and no client can send a roll."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("httpx", reason="the tests of the page need httpx")

from fastapi.testclient import TestClient

import plywise as pw
from plywise.games import catalogue
from plywise.match.dice import Dice
from plywise.web.app import create_app
from tests.web.serving import events, interpreting, post

OWN = str(Path(__file__).with_name("own_game.py"))
DICE = ["backgammon", "pig", "yahtzee"]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with interpreting(f"{OWN}:Tosses", f"{OWN}:Tumbling") as made:
        yield made


def test_cards_say_which_games_have_dice(client: TestClient) -> None:
    cards = client.get("/api/play/games").json()
    assert [card["name"] for card in cards if card["dice"]] == [*DICE, "Tosses", "Tumbling"]


@pytest.mark.parametrize("name", DICE)
def test_the_server_rolls_as_the_terminal_does(client: TestClient, name: str) -> None:
    game: pw.Game = catalogue()[name]()
    dice, state, names, moves = Dice(12), game.initial(), list[str](), list[str]()
    for _ in range(12):
        while game.to_move(state) == pw.CHANCE:
            roll = dice.roll(game, state, len(names))
            names.append(game.format_move(state, roll))
            state = game.play(state, roll)
        answer = post(client, "position", game=name, seed=12, moves=moves).json()
        assert (answer["moves"], answer["text"], answer["seed"]) == (names, game.format(state), 12)
        assert answer["to_move"] == game.to_move(state)
        assert [mover == pw.CHANCE for mover in answer["movers"]].count(False) == len(moves)
        move = list(game.moves(state))[-1]
        assert game.format_move(state, move) == answer["legal"][-1]["text"]
        moves.append(game.format_move(state, move))
        names.append(moves[-1])
        state = game.play(state, move)


def test_a_seed_is_chosen_if_none_is_given_and_repeats_the_game(client: TestClient) -> None:
    found = [post(client, "position", game="yahtzee").json() for _ in range(6)]
    assert len({answer["seed"] for answer in found}) > 1
    assert len({answer["text"] for answer in found}) > 1
    for answer in found:
        assert post(client, "position", game="yahtzee", seed=answer["seed"]).json() == answer


def test_a_roll_is_told_with_its_dice_until_the_next(client: TestClient) -> None:
    first = post(client, "position", game="backgammon", seed=7).json()
    assert first["rolls"] == [{"name": "32", "dice": [3, 2]}]
    assert first["just_rolled"]
    assert first["last"] is None
    moved = post(client, "position", game="backgammon", seed=7, moves=["24/21"]).json()
    assert (moved["rolls"], moved["just_rolled"], moved["last"]) == (first["rolls"], False, "24/21")
    passed = post(client, "position", game="backgammon", seed=7, moves=["24/21", "24/22"]).json()
    assert passed["rolls"][0]["name"] == "42"
    assert (passed["just_rolled"], passed["last"], passed["to_move"]) == (True, "24/22", 1)
    assert passed["last_places"] != {}
    assert passed["labels"] == ["", "1.", "…", ""]
    tossed = post(client, "position", game="Tosses", seed=1, moves=["toss"]).json()
    assert tossed["rolls"][0]["name"] in ("heads", "tails")
    assert tossed["rolls"][0]["dice"] == []
    assert post(client, "position", game="nim").json()["rolls"] == []


@pytest.mark.parametrize("seed", ["x", "12", -1, 1.5, True, 10**16, [1]])
@pytest.mark.parametrize("what", ["position", "think", "record"])
def test_a_seed_that_is_no_whole_number_is_refused(client: TestClient, what: str, seed: Any) -> None:
    answer = post(client, what, game="pig", seed=seed)
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("seed")


def test_a_seed_belongs_to_dice(client: TestClient) -> None:
    answer = post(client, "position", game="nim", seed=3)
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("a seed is for games with dice, unlike Nim(")
    for what in ("think", "record"):
        answer = post(client, what, game="pig")
        assert answer.status_code == 422
        assert "needs its seed" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("backgammon", ["65"]),  # another opening roll
        ("backgammon", ["32", "24/21"]),  # the roll that the umpire made
        ("backgammon", ["24/21", "24/22", "66"]),
        ("yahtzee", ["66666"]),
        ("yahtzee", ["keep-44", "444"]),
        ("pig", ["roll", "6"]),
        ("Tosses", ["toss", "heads"]),
    ],
)
def test_a_forged_roll_is_refused(client: TestClient, game: str, moves: list[str]) -> None:
    for what in ("position", "think", "record"):
        answer = post(client, what, game=game, seed=7, moves=moves)
        assert answer.status_code == 422
        assert "is not a legal move here" in answer.json()["detail"]


def test_a_field_for_rolls_is_refused(client: TestClient) -> None:
    assert post(client, "position", game="pig", seed=7, rolls=["6"]).status_code == 422


def test_after_an_undo_the_same_rolls_come_again(client: TestClient) -> None:
    first = post(client, "position", game="pig", seed=7, moves=["roll", "roll"]).json()
    post(client, "position", game="pig", seed=7, moves=["roll"])
    post(client, "position", game="pig", seed=7, moves=["roll", "hold"])
    assert post(client, "position", game="pig", seed=7, moves=["roll", "roll"]).json() == first
    with TestClient(create_app(workers=1), base_url="http://127.0.0.1") as other:  # which has not seen the first one
        assert post(other, "position", game="pig", seed=7, moves=["roll", "roll"]).json() == first


@pytest.mark.parametrize("game", [*DICE, "Tosses"])
def test_the_search_answers_with_a_legal_move_in_time(client: TestClient, game: str) -> None:
    legal = [move["text"] for move in post(client, "position", game=game, seed=3).json()["legal"]]
    post(client, "think", game=game, seed=3, level=1)  # Yahtzee's table is made when it is first needed
    told = events(post(client, "think", game=game, seed=3, seconds=0.3).text)
    name, done = told[-1]
    assert name == "done"
    assert done["move"] in legal
    assert done["seconds"] < 5
    assert [event for event, _ in told].count("info") >= 1


def test_an_average_is_told_as_expected(client: TestClient) -> None:
    deep = events(post(client, "think", game="Tosses", seed=3, depth=12, seconds=20).text)[-1][1]
    assert (deep["expected"], deep["text"]) == (True, "0")
    assert not events(post(client, "think", game="nim", depth=3).text)[-1][1]["expected"]


def test_a_record_has_the_seed_and_the_rolls(client: TestClient) -> None:
    record = json.loads(post(client, "record", game="pig", seed=7, moves=["roll", "hold"]).json()["text"])
    assert record["seed"] == 7
    assert record["moves"] == ["roll", "6", "hold"]
    assert record["movers"] == [0, -1, 0]
    assert "seed" not in json.loads(post(client, "record", game="nim").json()["text"])


def test_a_game_starts_in_any_position_before_or_after_a_roll(client: TestClient) -> None:
    rolling = post(client, "position", game="pig", seed=7, start="34-20 min 12 rolling").json()
    assert rolling["movers"] == [-1]
    thrown = post(client, "position", game="pig", seed=7, start="34-20 min 12").json()
    assert thrown["moves"] == []


def test_one_player_plays_alone(client: TestClient) -> None:
    alone = {"game": "yahtzee", "parameters": "players=1", "seed": 5}
    assert post(client, "position", **alone).json()["players"] == ["Max"]
    full = post(client, "position", **alone, start="xxxxxxxxxxxx- 8 200; max 1 33361", moves=["chance"]).json()
    assert full["over"] == "The game is over: Max gets 216."
    assert post(client, "record", **alone).status_code == 200


def test_rolls_without_end_are_refused(client: TestClient) -> None:
    answer = post(client, "position", game="Tumbling", seed=1, moves=["toss"])
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("chance moves more than 100 times in a row")


def test_dice_to_keep_are_selected_on_the_board(client: TestClient) -> None:
    answer = post(client, "position", game="yahtzee", seed=7).json()
    view = answer["view"]
    for move in answer["legal"]:
        assert (move["selection"] is None) == (move["places"] != {})
        if move["selection"] is not None:
            faces = [view["pieces"][view["cells"][place] - 1]["symbol"] for place in move["selection"]]
            assert move["text"] == f"keep-{''.join(faces) or 'none'}"
