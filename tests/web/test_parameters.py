"""Wrong parameters are refused with a sentence, for every game and from every source."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("httpx", reason="the tests of the page need httpx")

from fastapi.testclient import TestClient

from plywise.errors import PlywiseError
from plywise.games import catalogue
from plywise.inputs.choose import choose_game
from plywise.web.app import create_app
from tests.web.serving import OWN

VALUES = (
    "1", "-1", "0", "2.5", "x", "true", "", "nan", "inf", "1e9", "9_9_9_9_9_9_9_9", "99999999", "9" * 60, "None", "()",
    "\u0669" * 8, "\x00", "=", "/dev/zero", "..",
)  # fmt: skip
"""Numbers, texts, huge and empty ones, and such as Python alone would take for a number."""

WAYS = [
    *(f"{name}:{field.name}=" for name, made in catalogue().items() for field in dataclasses.fields(made)),  # type: ignore[arg-type]
    *(f"{name}:" for name in catalogue()),
    "Subtraction:size=",
    "Picky:word=",
]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYWISE_INTERPRET", "1")
        own = [f"{OWN}:Subtraction", f"{OWN}:Picky"]
        with TestClient(create_app(own, workers=1), base_url="http://127.0.0.1", raise_server_exceptions=False) as made:
            yield made


@pytest.mark.parametrize("way", WAYS)
def test_no_parameter_makes_the_page_fail(client: TestClient, way: str) -> None:
    game, _, name = way.partition(":")
    for value in VALUES:
        body = {"game": game, "parameters": f"{name}{value}"}
        answer = client.post("/api/play/position", json=body)
        assert answer.status_code in (200, 422), (body, answer.text)
        if answer.status_code == 422:
            assert answer.json()["detail"].count("\n") == 0


def test_no_parameter_makes_the_command_line_fail() -> None:
    for way in WAYS:
        if way.startswith("Picky"):
            continue  # its own error names its own line
        if way.startswith("Subtraction"):
            way = f"{OWN}:{way}"
        for value in VALUES:
            with contextlib.suppress(PlywiseError):
                choose_game(f"{way}{value}")


@pytest.mark.parametrize("what", ["play/position", "play/prepare", "play/think", "play/record", "explain"])
@pytest.mark.parametrize(
    ("game", "parameters", "sentence"),
    [
        ("chess", "weights_file=1", "a parameter must be a number, true or false, not weights_file='1'"),
        ("nim", "9_9_9_9_9_9_9_9", "parameter heaps='9_9_9_9_9_9_9_9' is not a whole number"),
        ("nim", "\u0669" * 8, "is not a whole number"),
        ("nim", "99999999", "on the page, a parameter may be at most 99, not heaps=99999999"),
        ("nim", ",".join(["99"] * 9), "starts with more than 400 moves, too many for the page"),
        ("Subtraction", "inf", "parameter size=inf is not a whole number"),
        ("Subtraction", "x", "parameter size='x' is not a whole number"),
        ("Picky", "word=3", "the game Picky failed: ValueError: word must be even"),
    ],
)  # fmt: skip
def test_what_is_too_large_or_of_a_wrong_kind_is_refused_at_every_door(
    client: TestClient, what: str, game: str, parameters: str, sentence: str
) -> None:
    answer = client.post(f"/api/{what}", json={"game": game, "parameters": parameters})
    assert answer.status_code == 422, answer.text
    assert sentence in answer.json()["detail"]


def test_two_games_of_one_file_are_both_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    app = create_app([f"{OWN}:Subtraction", f"{OWN}:Picky"], workers=1)
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        for game in ("Subtraction", "Picky"):
            answer = client.post("/api/explain", json={"game": game, "parameters": "3"})
            assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("play/think", {"game": "nim", "level": "3"}),
        ("play/think", {"game": "nim", "seconds": "1_0"}),
        ("explain", {"tree": "[1, 2]", "depth": "1_0"}),
        ("explain", {"tree": "[1, 2]", "options": {"guess": "1_0"}}),
    ],
)
def test_a_text_is_no_number(client: TestClient, what: str, body: dict[str, Any]) -> None:
    assert client.post(f"/api/{what}", json=body).status_code == 422
