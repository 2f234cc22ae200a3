"""Two evaluations of one game play by the rules of the first; games with different rules are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plywise.cli import run

GAME = """
from typing import NamedTuple
import plywise as pw

MOST = 3

class Purse(NamedTuple):
    coins: int
    turn: int
    lead: int
    def is_empty(self): return self.coins == 0

def richer(state, move):
    return state.lead + move * (1 - 2 * state.turn)

class Mine(pw.Game):
    '''Take up to three coins, in turns; coins left at the end count for neither player.'''
    rounds: int = 6
    weight: int = 0

    def initial(self):
        return Purse(self.rounds, pw.MAX, 0)
    def to_move(self, state):
        return state.turn
    def moves(self, state):
        for count in range(MOST + 1):
            yield count
    def play(self, state, move):
        return Purse(state.coins - 1, 1 - state.turn, richer(state, move))
    def is_terminal(self, state):
        return state.is_empty()
    def score(self, state):
        return state.lead
    def evaluate(self, state):
        return self.weight * state.lead
"""
BETTER = GAME.replace("return self.weight * state.lead", "return state.lead")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    (tmp_path / "a.py").write_text(GAME)
    (tmp_path / "b.py").write_text("# the same, but for one line\n" + BETTER)
    return tmp_path


def played(capsys: pytest.CaptureFixture[str], *games: str) -> dict[str, object]:
    assert run(["match", *games, "--nodes", "12", "-n", "4", "--random-plies", "1", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_better_evaluation_wins_from_either_place(capsys: pytest.CaptureFixture[str]) -> None:
    report = played(capsys, "a.py:Mine", "b.py:Mine")
    assert (report["first"], report["second"]) == ("a.py:Mine", "b.py:Mine")
    assert (report["wins"], report["losses"], report["faults"]) == (0, 4, [])
    report = played(capsys, "b.py:Mine", "a.py:Mine")
    assert (report["wins"], report["losses"], report["faults"]) == (4, 0, [])


def test_a_parameter_of_the_evaluation_alone_may_differ(capsys: pytest.CaptureFixture[str]) -> None:
    report = played(capsys, "a.py:Mine", "a.py:Mine:weight=1")
    assert (report["wins"], report["losses"]) == (0, 4)


def test_a_subclass_is_another_evaluation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = "class Greedy(Mine):\n    def evaluate(self, state):\n        return state.lead\n"
    (folder / "a.py").write_text(GAME + more)
    assert played(capsys, "a.py:Mine", "a.py:Greedy")["losses"] == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("state.is_empty()", "not state.coins", "is_terminal() differs: a.py, line 30, and b.py, line 31"),
        ("range(MOST + 1)", "range(1, MOST + 1)", "moves() differs"),
        ("MOST = 3", "MOST = 4", "moves() differs"),
        ("return self.coins == 0", "return self.coins <= 0", "in Purse, is_empty() differs"),
        ("state.lead + move * (1 - 2", "state.lead + move * (2 - 2", "play() differs"),
        ("Purse(self.rounds, pw.MAX", "Purse(self.rounds, pw.MIN", "initial() differs"),
        (
            "        return state.lead\n    def evaluate",
            "        return -state.lead\n    def evaluate",
            "score() differs",
        ),
    ],
)
def test_other_rules_are_refused_with_the_method(
    old: str, new: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in BETTER
    (folder / "b.py").write_text("# the same, but for two lines\n" + BETTER.replace(old, new))
    assert run(["match", "a.py:Mine", "b.py:Mine", "--nodes", "10", "-n", "2"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"plywise: the two games of a match need the same rules, but {message}")
    assert error.count("\n") == 1


def test_other_parameters_of_the_rules_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "a.py:Mine:6", "b.py:Mine:8", "--nodes", "10", "-n", "2"]) == 2
    assert "but rounds is 6 in Mine(rounds=6, weight=0) and 8 in Mine(rounds=8" in capsys.readouterr().err


def test_cells_stay_cells(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = GAME.replace("coins: int", "coins: pw.Cells").replace(
        "Purse(self.rounds,", "Purse(pw.Cells([self.rounds]),"
    )
    cells = cells.replace("self.coins == 0", "self.coins[0] == 0")
    cells = cells.replace("state.coins - 1", "state.coins.with_item(0, state.coins[0] - 1)")
    (folder / "a.py").write_text(cells)
    assert played(capsys, "a.py:Mine", "a.py:Mine:weight=1")["losses"] == 4


def test_a_match_goes_on_only_with_the_same_evaluations(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["match", "a.py:Mine", "b.py:Mine", "--nodes", "10", "-n", "2", "--out", "games.jsonl"]
    assert run(command) == 0
    (folder / "b.py").write_text(GAME)
    assert run(command) == 2
    assert "was started with other settings: rival_rules is" in capsys.readouterr().err
