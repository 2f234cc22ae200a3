"""``plywise verify`` checks a proof file and names its mistakes."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.support import plywise
from tests.inputs.test_choose import OWN


@pytest.mark.parametrize("name", ["proof.jsonl", "proof.gz"])
def test_a_proof_in_a_file_is_verified(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / name
    written = plywise(capsys, "solve", "mnk:3,3,3", "-p", "X../.O./...", "--proof", str(file))
    assert written.code == 0
    assert f"written   to {file}" in written.out
    answer = plywise(capsys, "verify", str(file))
    assert (answer.code, answer.err) == (0, "")
    assert "game      MNK(m=3, n=3, k=3), position X../.O./..." in answer.out
    moves = r"\(a strategy of [\d,]+(?: moves)?\)"
    assert re.search(rf"proof     right: X gets at least 0 {moves}; O keeps X to at most 0 {moves}\n", answer.out)
    report = json.loads(plywise(capsys, "verify", str(file), "--json").out)
    assert report["ok"] is True
    assert report["positions"] > report["ends"] > 0
    again = json.loads(plywise(capsys, "solve", "mnk:3,3,3", "-p", "X../.O./...", "--proof", str(file), "--json").out)
    assert again["proof"] == {"file": str(file), "max": report["max"], "min": report["min"]}


def test_verify_names_what_is_wrong_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "proof.jsonl"
    plywise(capsys, "solve", "red-blue", "--proof", str(file))
    good = file.read_text()
    for old, new, arguments, line, message in (
        ('"move": "R"', '"move": "B"', (), 3, "wrong proof: Max's strategy can end at -5 in 'BBR'"),
        ('"move": "R"', '"move": "G"', (), 3, "'G' is not a legal move here; legal are: B R"),
        ('"value": -3', '"value": -2', (), 3, "wrong proof: Max's strategy can end at -3"),
        ("}", "", (), 1, "truncated, or not a plywise proof"),
        ("red-blue", "red-blue", ("--game", "tic-tac-toe"), 1, "about 'RedBlue()', not about TicTacToe()"),
        ("red-blue", "own.py", (), 1, "about 'own.py', which is not one of plywise's games: name it with --game"),
    ):
        file.write_text(good.replace(old, new))
        answer = plywise(capsys, "verify", str(file), *arguments)
        assert (answer.code, answer.out) == (1, "")
        assert answer.err.startswith(f"plywise: {file}: line {line}: ")
        assert message in answer.err
        assert answer.err.count("\n") == 1
        report = json.loads(plywise(capsys, "verify", str(file), *arguments, "--json").out)
        assert (report["ok"], report["line"]) == (False, line)


def test_a_proof_about_a_game_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "my games").mkdir()
    game, file = tmp_path / "my games" / "own.py", str(tmp_path / "my games" / "proof.gz")
    game.write_text(OWN)
    written = plywise(capsys, "solve", str(game), "--proof", file)
    assert written.code == 0
    assert plywise(capsys, "verify", file).code == 1
    command = shlex.split(written.out.splitlines()[-1].partition("check it again with: ")[2])
    assert command == ["plywise", "verify", file, "--game", str(game)]
    assert plywise(capsys, *command[1:]).code == 0


def test_the_command_that_verifies_a_proof_about_a_game_of_plywise_s(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = plywise(capsys, "solve", "red-blue", "--proof", str(tmp_path / "proof"))
    assert written.out.splitlines()[-1].endswith(f"check it again with: plywise verify {tmp_path / 'proof'}")
