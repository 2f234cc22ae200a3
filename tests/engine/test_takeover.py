"""Code for one game alone takes over from code for any game while a search runs, and changes no answer."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

import plywise as pw
from plywise.compiling.reading import specialised
from plywise.engine import deepen, solving, takeover
from plywise.engine import engine as engine_module
from plywise.engine.any_code import AnyGameCode, general, made_by
from plywise.games import ConnectFour

GAME, POSITION = ConnectFour(5, 4), "33"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The better code is made before it is wanted; returns what the background was asked for."""
    asked: list[Any] = []
    with made_by(specialised):
        pw.Engine(GAME).solve("")
        pw.Engine(GAME).search(depth=1, exact=False)

    def compile_later(search: Any, missing: Any, first: Any, only_elsewhere: bool) -> Any:
        asked.append(search)
        ended = threading.Event()
        ended.set()
        return SimpleNamespace(ended=ended, missing=missing)

    monkeypatch.setattr(takeover, "compile_later", compile_later)
    monkeypatch.setattr(engine_module, "PATIENCE", 0.0)
    monkeypatch.setattr(takeover, "PROCESSORS", 2)
    return asked


def used(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[bool]:
    """Note for each code that is used whether it is code for any game."""
    general_codes: list[bool] = []
    usual = getattr(module, name)

    def noted(*arguments: Any) -> Any:
        general_codes.append(any(isinstance(each, AnyGameCode) for each in arguments))
        return usual(*arguments)

    monkeypatch.setattr(module, name, noted)
    return general_codes


def test_a_search_changes_over_between_two_depths(made: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    codes = used(monkeypatch, deepen, "call_of")
    alone = pw.Engine(GAME).search(POSITION, depth=14, exact=False)
    codes.clear()
    with made_by(general):
        result = pw.Engine(GAME).search(POSITION, depth=14, exact=False)
    assert codes == [True, False]
    assert len(made) == 1
    assert (result.value, result.line, result.nodes) == (alone.value, alone.line, alone.nodes)


def test_a_solution_starts_again_with_what_the_table_knows(made: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    alone = pw.Engine(GAME).solve("")
    codes = used(monkeypatch, solving, "run")
    with made_by(general):
        result = pw.Engine(GAME).solve("")
    assert codes[:2] == [True, False]
    assert (result.value, result.proven) == (alone.value, True)
    assert result.nodes >= alone.nodes // 2


def test_a_short_search_makes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(takeover, "compile_later", lambda *arguments, **options: pytest.fail("not wanted"))
    monkeypatch.setattr(engine_module, "PATIENCE", takeover.PATIENCE)
    with made_by(general):
        engine = pw.Engine(ConnectFour(4, 4))
        engine.search(depth=4)
        assert 0 < engine.patience < takeover.PATIENCE


def test_what_is_asked_for_can_be_made_elsewhere() -> None:
    takeover._specialise(GAME, {}, GAME.initial(), None)
    takeover._specialise(GAME, {"reductions": False}, GAME.initial(), False)
