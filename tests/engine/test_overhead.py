"""A call costs little besides its search: what takes long happens once an engine, or once a call.

These tests count; ``benchmarks/overhead.py`` measures.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import plywise as pw
from plywise.compiling import fingerprint, machine_code, reading, threads
from plywise.engine.plan import plan_for
from plywise.games import ConnectFour
from plywise.inputs.limits import LONGEST_LINE
from tests.take_away import Pile, TakeAway

Call = Callable[[pw.Engine], Any]
CALLS: dict[str, Call] = {
    "solve": lambda engine: engine.solve(),
    "solve weakly": lambda engine: engine.solve(weak=True),
    "solve many": lambda engine: engine.solve_many([Pile(5, 0)]),
    "search": lambda engine: engine.search(depth=1),
    "search several plies": lambda engine: engine.search(depth=6),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))


def counted(monkeypatch: pytest.MonkeyPatch, place: Any, name: str) -> Counter[Any]:
    """Count the calls of a function, by the identity of its first argument."""
    calls: Counter[Any] = Counter()
    original = getattr(place, name)

    def count(*arguments: Any) -> Any:
        calls[id(arguments[0])] += 1
        return original(*arguments)

    monkeypatch.setattr(place, name, count)
    return calls


@every_call
def test_a_fingerprint_is_checked_once_a_call(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = pw.Engine(TakeAway())
    call(engine)
    checks = counted(monkeypatch, fingerprint._Reads, "changed")
    call(engine)
    assert set(checks.values()) == {1}
    assert len(checks) <= 8  # the game, the table, the workspace, the plan, and the functions that run


@every_call
def test_the_next_call_describes_no_arguments(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = pw.Engine(TakeAway())
    call(engine)
    described = counted(monkeypatch, machine_code, "typeof")
    call(engine)
    assert not described


@every_call
def test_the_next_call_starts_no_thread(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = pw.Engine(TakeAway())
    call(engine)
    started = counted(monkeypatch, threading.Thread, "start")
    for _ in range(10):
        call(engine)
    assert not started


def test_another_engine_needs_no_new_description(monkeypatch: pytest.MonkeyPatch) -> None:
    game = TakeAway()
    pw.search(game, depth=1)
    described = counted(monkeypatch, machine_code, "typeof")
    pw.search(game, depth=1)
    assert not described
    assert plan_for(game, True) is plan_for(game, True, {}) is not plan_for(game, False)


def test_two_calls_of_compiled_code_find_the_value_and_the_whole_line(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = pw.Engine(ConnectFour(5, 4))
    runs = counted(monkeypatch, reading, "in_thread")
    assert len(engine.solve().line) > 10
    assert runs.total() == 2


def test_a_line_may_be_longer_than_a_workspace_holds() -> None:
    result = pw.solve(TakeAway(4 * LONGEST_LINE + 1), table_mb=1)
    assert result.value == 1
    assert len(result.line) > LONGEST_LINE
    assert sum(result.line) == 4 * LONGEST_LINE + 1
    assert all(move + reply == 4 for move, reply in zip(result.line[1::2], result.line[2::2], strict=True))


# What a search must notice all the same -------------------------------------------------------------------------------


class Changing(TakeAway):
    """A game whose rules change between searches."""


@every_call
def test_the_next_call_notices_a_redefined_method(call: Call) -> None:
    engine = pw.Engine(Changing())

    def first(result: Any) -> Any:
        return result[0].value if isinstance(result, list) else result.value

    before = first(call(engine))
    Changing.score = lambda self, state: 5 if state.turn == pw.MIN else -5  # type: ignore[method-assign]
    Changing.evaluate = lambda self, state: 3  # type: ignore[method-assign]
    try:
        engine.clear()
        after = first(call(engine))
        with pw.interpreted():
            assert first(call(pw.Engine(Changing()))) == after
        assert after != before or call is CALLS["solve weakly"]
    finally:
        del Changing.score, Changing.evaluate
    engine.clear()
    assert first(call(engine)) == before


def test_a_search_within_a_search_notices_a_redefined_method() -> None:
    inner: list[Any] = []

    def change(result: pw.Result) -> None:
        if not inner:
            Changing.score = lambda self, state: 7 if state.turn == pw.MIN else -7  # type: ignore[method-assign]
            inner.append(pw.Engine(Changing()).solve().value)

    try:
        assert pw.Engine(Changing()).search(depth=30, on_info=change).value == 1  # it goes on with its own rules
    finally:
        del Changing.score
    assert inner == [7]


def test_the_threads_of_a_stopped_search_search_again() -> None:
    engine = pw.Engine(ConnectFour(5, 4), threads=2)
    values = set()
    for _ in range(5):
        engine.clear()
        engine.search(nodes=1000)
        values.add(engine.solve("1122").value)
    assert len(values) == 1
    assert len(threads._waiting[0].tokens) >= 2
