"""``plywise warm`` compiles in advance."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

from plywise import Engine
from plywise.compiling.reading import only_ready
from plywise.errors import CompileWarning, SearchError
from plywise.games import Go, RedBlue
from plywise.warm import Schedule, warm, warm_all, warming_tasks
from tests.cli.support import process
from tests.cli.test_terminal import HIDDEN, SHOWN, Terminal


def test_warm_makes_machine_code_and_clear_deletes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    answer = process("warm", "red-blue", "--algorithms", "alphabeta")
    assert answer.code == 0, answer.err
    assert "Ready: 2 functions for 1 game" in answer.out
    assert len(list(tmp_path.glob("*.machinecode"))) == 2
    assert "Deleted 2 files" in process("warm", "--clear").out
    assert not list(tmp_path.glob("*.machinecode"))


def test_a_warm_engine_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Warmed(RedBlue):
        def order(self, state, move):
            return move % 17

    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    game = Warmed()
    warm(game, ["engine"])
    with only_ready():
        engine = Engine(game)
        engine.search(depth=2)
        engine.search(depth=2, exact=False)
        assert engine.solve().compiled
        engine.solve_many([game.initial()])


def test_what_plays_a_game_is_made_ready() -> None:
    assert [task.name for task in warming_tasks(Go())][:2] == ["engine", "mcts"]
    assert "mcts" not in [task.name for task in warming_tasks(RedBlue())]


def test_every_task_is_done_once_and_a_process_stays_with_its_game() -> None:
    names = {"a": ["1", "2", "3", "4"], "b": ["1"], "c": ["1", "2"]}
    schedule, last, steps = Schedule(names), ["", ""], list[tuple[str, str]]()
    while step := schedule.next(last[len(steps) % 2]):
        last[len(steps) % 2] = step[0]
        steps.append(step)
    assert sorted(steps) == sorted((text, name) for text, tasks in names.items() for name in tasks)
    assert steps[0::2] == [("a", "1"), ("a", "2"), ("a", "3"), ("a", "4")]
    assert steps[1::2] == [("b", "1"), ("c", "1"), ("c", "2")]


def test_progress_grows_to_the_number_of_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    told: list[float] = []
    warm_all({"nim": ["minimax", "perft"], "red-blue": ["minimax"]}, lambda text, done: told.append(done), processes=2)
    assert told == sorted(told)
    assert told[-1] == 3
    assert any(done != int(done) for done in told)


BAD = """
import plywise as pw


class Bad(pw.games.Nim):
    def evaluate(self, state):
        return int(str(state.turn))
"""


def test_warnings_and_errors_of_other_processes_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    file = tmp_path / "bad.py"
    file.write_text(BAD)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warm_all({str(file): ["minimax"]})
    assert [each.category for each in caught] == [CompileWarning]
    assert "Bad.evaluate" in str(caught[0].message)
    with pytest.raises(SearchError, match="there is no game 'nimm'"):
        warm_all({"nimm": ["minimax"]})


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    terminal = Terminal("warm", "red-blue", "chess", "-a", "minimax,engine")
    terminal.until("chess: ")
    while not list(tmp_path.glob("*.machinecode")):
        assert terminal._read(0.2)
    assert re.search(rb"\d/6", terminal.seen)
    terminal.type("\x03")
    assert terminal.end() == 130
    assert b"Traceback" not in terminal.seen
    assert terminal.seen.rfind(SHOWN) > terminal.seen.rfind(HIDDEN)
    assert list(tmp_path.glob("*.machinecode"))
    assert not list(tmp_path.glob("*.tmp"))
