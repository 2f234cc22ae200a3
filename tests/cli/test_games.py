"""``plywise games`` lists all games, as text and as JSON."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from plywise.cli.games import _rules, _sizes
from plywise.games import catalogue as game_catalogue
from tests.cli.support import plywise


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "games")
    assert answer.code == 0
    assert "4,531,985,219,092" in answer.out
    assert all(line == line.rstrip() for line in answer.out.splitlines())
    entries = {entry["name"]: entry for entry in json.loads(plywise(capsys, "games", "--json").out)}
    assert set(entries) == set(game_catalogue())
    assert entries["tic-tac-toe"]["positions"] == 5478
    unknown = {name for name, entry in entries.items() if not entry["positions"]}
    assert unknown == {"backgammon", "checkers", "chess", "go", "kalah", "othello", "yahtzee"}
    assert entries["chess"]["estimate"] == "at most 10^43"
    assert entries["red-blue"]["random_games"] == {"games": 3, "branching": 2.0, "length": 3.0}


def test_random_games_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    entries = json.loads(plywise(capsys, "games", "--random", "0", "--json").out)
    assert {entry["random_games"] for entry in entries} == {None}
    assert plywise(capsys, "games", "--random", "0").code == 0


def test_the_tables_fit_a_terminal_of_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    entries = json.loads(plywise(capsys, "games", "--json").out)
    for made in (_rules(entries), _sizes(entries)):
        terminal = Console(file=io.StringIO(), width=80)
        terminal.print(made)
        lines = terminal.file.getvalue().splitlines()  # type: ignore[attr-defined]
        assert sum(line[:1].strip() != "" for line in lines) == 2 + len(entries)
        assert max(map(len, lines)) <= 80
        assert len(lines) < 2.5 * len(entries)  # most games take one or two lines
