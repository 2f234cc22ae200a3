"""``benchmarks/backgammon.py``: the linear player weighs the published inputs, and gnubg's moves are read."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywise.games.backgammon.position import BAR, OFF, START, men_on
from tests.games.support import random_game

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the program as a module."""
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("backgammon")


def inputs(board: list[int], their_bar: int, off: int) -> list[float]:
    """Return the inputs of the linear player; ``board`` has the men on points 1 to 24, the other player's negative."""
    kinds = [(n == -1, n == 1, n >= 2, n == 3, (n - 3) / 2 if n >= 4 else 0) for n in reversed(board)]
    return [*(float(kind) for each in kinds for kind in each), their_bar / 2, off / 15]


def test_the_linear_player_weighs_its_inputs(bench: Any) -> None:
    contact, race = np.random.default_rng(1).normal(size=(2, 122))
    linear = bench.Linear(contact, race)
    for state in random_game(bench.GAME, 3)[1:-1:7]:
        mine, theirs = state.mine, state.theirs
        board = [mine.count(point) - theirs.count(25 - point) for point in range(1, 25)]
        expected = np.array(inputs(board, theirs.count(BAR), mine.count(OFF)))
        assert linear.likes(mine, theirs, race=False) == pytest.approx(contact @ expected)
        assert linear.likes(mine, theirs, race=True) == pytest.approx(race @ expected)


def test_moves_are_read(bench: Any) -> None:
    state = bench.GAME.parse("-b----E-C---eE---c-e----B- white 31")
    mine = men_on(*[24] * 2, *[13] * 5, *[8] * 2, *[6] * 4, *[5] * 2)
    assert bench.moved(state, "8/5 6/5 \n") == (mine, START)
    hit = bench.GAME.parse("-----a-A------------------ white 21")
    assert bench.moved(hit, "7/5* 5/4") == (men_on(4, *[OFF] * 14), men_on(BAR, *[OFF] * 14))
    assert set(bench.turns(hit)) == {
        bench.GAME.parse(f"{text} black") for text in ("a---A---------------------", "----Aa--------------------")
    }


def test_pairs_of_games_have_errors(bench: Any) -> None:
    row = bench.result(np.array([[1, -1], [2, 1], [-3, 1], [1, 1]]))
    assert row["games"] == 8
    assert row["won"] == "75.0% ± 28.9%"
    assert row["points a game"] == "+0.375 ± 1.109"
    assert (row["gammons won"], row["gammons lost"]) == (1, 1)


def test_what_is_missing_is_skipped(bench: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    with pytest.raises(SystemExit, match="skipped: the linear player"):
        bench.published_weights()
    monkeypatch.setattr(bench.shutil, "which", lambda name, path: None)
    with pytest.raises(SystemExit, match="skipped: gnubg"):
        bench.Gnubg()
