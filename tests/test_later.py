"""``compile="later"``: the same answers at once, and machine code as soon as it is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from numba.core import event

import plywise as pw
from plywise.compiling import background
from plywise.compiling.reading import as_ready
from plywise.engine.control import Control
from plywise.games import Nim, RedBlue, TicTacToe
from tests.cli.support import process

A_WHILE = 180.0


@pytest.fixture(autouse=True)
def compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache, and code in memory from no other test."""
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")


def changes_over(search: Callable[[], Any]) -> tuple[Any, Any]:
    """Search before and after everything that is missing has been compiled; return both results."""
    first = search()
    assert not first.compiled
    for task in list(background._tasks.values()):
        assert task.ended.wait(A_WHILE)
    second = search()
    assert second.compiled
    return first, second


class Heaps(Nim):
    """A game that only this module compiles."""

    def order(self, state, move):
        return move % 11


class Piles(Nim):
    """Another one."""

    def evaluate(self, state):
        return len(state) % 11


class Boxes(TicTacToe):
    """A game that only this module compiles."""

    def order(self, state, move):
        return move % 11


class Crosses(TicTacToe):
    """Another one."""

    def order(self, state, move):
        return move % 13


def test_a_search_with_a_textbook_algorithm() -> None:
    told: list[pw.Result] = []
    first, second = changes_over(
        lambda: pw.search(Heaps(), depth=3, algorithm="scout", compile="later", on_info=told.append)
    )
    assert (first.value, first.line) == (second.value, second.line)
    assert told == [first, second]


def test_monte_carlo_tree_search_compiles_nothing_before_its_first_answer() -> None:
    listener = event.RecordingListener()
    with event.install_listener("numba:compile", listener):
        result = as_ready(partial(pw.search, Piles(), nodes=100, algorithm="mcts"))
    assert not result.compiled
    assert not listener.buffer


def test_an_engine_keeps_its_answers_when_it_changes_over() -> None:
    engine = pw.Engine(Boxes(), compile="later")
    first, second = changes_over(lambda: engine.search("XO./.X./..O", depth=9, moves=iter([2, 6]), lines=2))
    assert (first.value, first.proven) == (second.value, second.proven) == (1, True)
    assert [each.move for each in first.lines] == [each.move for each in second.lines]


def test_a_control_counts_as_a_limit_in_the_background_too() -> None:
    engine = pw.Engine(Crosses(), compile="later")
    first, second = changes_over(lambda: engine.search("X../.O./...", control=Control()))
    assert first.value == second.value == 0


def test_solving_and_solving_many() -> None:
    first, second = changes_over(lambda: pw.solve(Heaps((1, 2, 3)), compile="later"))
    assert (first.value, first.proven) == (second.value, second.proven)
    engine = pw.Engine(Heaps((1, 2, 3)), compile="later")
    many = [engine.solve_many(iter(["1,2,3 max", "1,1,0 max"])) for _ in range(2)]
    assert [[each.value for each in found] for found in many] == [[-1, -1]] * 2


def test_rules_that_are_never_compiled_are_simply_searched() -> None:
    game = pw.games.Tree.from_lists([[3, 12], [2, 4]])
    assert pw.search(game, depth=2, compile="later").value == pw.search(game, depth=2).value


@pytest.mark.parametrize("when", ["never", "", None, 1, "Later"])
def test_bad_values_are_refused(when: Any) -> None:
    message = f"compile={when!r} must be 'first' or 'later'"
    for ask in (
        lambda: pw.search(RedBlue(), depth=1, compile=when),
        lambda: pw.solve(RedBlue(), compile=when),
        lambda: pw.Engine(RedBlue(), compile=when),
    ):
        with pytest.raises(pw.SearchError) as raised:
            ask()
        assert str(raised.value) == message


def test_errors_are_the_same_as_without_it() -> None:
    wrong: list[dict[str, Any]] = [{}, {"depth": 1, "nonsense": 1}, {"seconds": -1}]
    for options in wrong:
        messages = []
        for compile in ("first", "later"):
            with pytest.raises(pw.SearchError) as raised:
                pw.search(RedBlue(), compile=compile, **options)
            messages.append(str(raised.value))
        assert messages[0] == messages[1]


def test_on_the_command_line() -> None:
    answer = process("search", "tic-tac-toe", "--seconds", "0.2", "--compile", "later", "--json")
    assert answer.code == 0, answer.err
    assert '"compiled": false' in answer.out
    answer = process("solve", "tic-tac-toe", "-p", "XO./.X./..O", "--compile", "later")
    assert "value     1" in answer.out
    answer = process("solve", "tic-tac-toe", "--compile", "sometimes")
    assert (answer.code, answer.err) == (2, "plywise: compile='sometimes' must be 'first' or 'later'\n")
