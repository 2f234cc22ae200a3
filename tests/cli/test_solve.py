"""``plywise solve`` finds the exact value and proves it; Ctrl-C prints what is proven so far."""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import pytest

from plywise.engine.progress import Progress
from plywise.games import Chess
from plywise.proof.verify import check_proof
from tests.cli.support import plywise


def test_a_dice_game_that_never_ends_is_refused_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--algorithm", "mcts"], ["--all-moves"]):
        answer = plywise(capsys, "solve", "pig", *more)
        assert answer.code != 0
        assert answer.err == (
            "plywise: positions of Pig(goal=100) recur, so a search to the end never ends; "
            "solve the game with 'plywise tabulate', or search with a limit\n"
        )


def test_solve_with_a_proof(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "solve", "tic-tac-toe", "-p", "XO./.X./..O", "--prove")
    assert answer.code == 0
    assert "value     1 (proven)" in answer.out
    assert "proof     checked" in answer.out
    report = json.loads(plywise(capsys, "solve", "red-blue", "--prove", "--json").out)
    assert report["proof"]["disproof"] == {"": "B", "BB": "R", "BR": "R"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dog-cat-mouse"], "a proof is for two players whose scores sum to zero"),
        (["chess"], f"positions of {Chess()} may recur"),
        (["tic-tac-toe", "--weak"], "finds only who wins"),
        (["tic-tac-toe", "--algorithm", "maxn"], "maxn finds no exact value for Max"),
    ],
)
@pytest.mark.parametrize("wish", ["--prove", "--proof"])
def test_what_cannot_be_proved_is_refused_before_the_search(
    arguments: list[str], message: str, wish: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def begun(*arguments: object, **options: object) -> None:
        raise AssertionError("a search has begun")

    monkeypatch.setattr(importlib.import_module("plywise.search"), "solve", begun)
    file = [str(tmp_path / "proof")] if wish == "--proof" else []
    answer = plywise(capsys, "solve", *arguments, wish, *file)
    assert (answer.code, answer.out) == (2, "")
    assert f"plywise: no proof: {message}" in answer.err or f"plywise: no proof: weak=True {message}" in answer.err
    assert answer.err.count("\n") == 1


def test_a_proof_is_checked_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("plywise.proof.prove")
    checked = []

    def check(proof: Any, *rest: Any) -> Any:
        checked.append(proof)
        return check_proof(proof, *rest)

    monkeypatch.setattr(module, "check_proof", check)
    assert plywise(capsys, "solve", "red-blue", "--prove").code == 0
    assert len(checked) == 1


@pytest.mark.parametrize(
    ("progress", "value", "bounds"),
    [
        (Progress(-3, math.inf, 5000, 2.5), "at least -3 (proven)", (-3, None)),
        (Progress(-math.inf, math.inf, 5000, 2.5), "unknown", (None, None)),
        (Progress(1, 1, 5000, 2.5), "1 (proven)", (1, 1)),
    ],
)
def test_ctrl_c_prints_what_is_proven_so_far(
    progress: Progress, value: str, bounds: tuple[Any, Any], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def interrupted(*arguments: Any, on_progress: Any, **options: Any) -> None:
        on_progress(progress)
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("plywise.search"), "solve", interrupted)
    answer = plywise(capsys, "solve", "tic-tac-toe")
    assert (answer.code, answer.err) == (130, "")
    assert f"\nvalue     {value}\nsearched  by engine: 5,000 nodes, 2.5 s (interrupted)\n" in answer.out
    report = json.loads(plywise(capsys, "solve", "tic-tac-toe", "--json").out)
    assert ((report["low"], report["high"]), report["nodes"], report["interrupted"]) == (bounds, 5000, True)


def test_ctrl_c_during_the_proof_prints_the_value(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("plywise.proof.prove"), "with_proof", interrupted)
    answer = plywise(capsys, "solve", "red-blue", "--prove")
    assert answer.code == 130
    assert "value     -3 (proven)" in answer.out
    assert "(interrupted)" in answer.out
    assert "proof" not in answer.out
