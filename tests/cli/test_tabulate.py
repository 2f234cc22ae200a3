"""``plywise tabulate`` writes tables, and ``search`` and ``play`` answer from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import plywise, process


@pytest.fixture
def table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    answer = plywise(capsys, "tabulate", "tic-tac-toe", "--out", str(tmp_path / "table"))
    assert answer.code == 0
    assert "positions  5,478" in answer.out
    return tmp_path / "table"


def test_json_has_the_counts(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(plywise(capsys, "tabulate", "tic-tac-toe", "--out", str(table), "--json").out)
    assert (report["positions"], report["won"], report["drawn"], report["lost"]) == (5478, 2936, 1068, 1474)
    assert report["bytes"] == table.stat().st_size


def test_a_table_of_all_positions_with_few_pieces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "two")
    report = json.loads(plywise(capsys, "tabulate", "checkers", "--pieces", "2", "--out", file, "--json").out)
    assert (report["positions"], report["drawn"], report["longest_win"]) == (7080, 4740, 13)
    answer = plywise(capsys, "tabulate", "nim", "--pieces", "2", "--out", str(tmp_path / "none"))
    assert answer.code != 0
    assert "has no endings with at most 2 pieces" in " ".join(answer.err.split())


def test_search_answers_from_a_table(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(
        capsys, "search", "tic-tac-toe", "-p", "XX./OO./...", "--table", str(table), "--all-moves", "--json"
    )
    report = json.loads(answer.out)
    assert (report["value"], report["move"], report["algorithm"], report["proven"]) == (1, "c3", "table", True)
    assert report["moves"]["a1"] == -1


def test_play_plays_from_a_table(table: Path) -> None:
    answer = process("play", "tic-tac-toe", "-p", "XX./OO./...", "--side", "none", "--table", str(table))
    assert answer.code == 0
    assert "X plays c3: value 1, solved" in answer.out


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *(("search", each) for each in ("--depth=3", "--seconds=1", "--nodes=9", "--algorithm=alphabeta")),
        *(("search", each) for each in ("--exact", "--threads=2", "--table-mb=1", "--compile=later", "-o=alpha=0")),
        *(("play", each) for each in ("--depth=3", "--seconds=1")),
    ],
)
def test_limits_of_a_search_are_refused_with_a_table(
    table: Path, capsys: pytest.CaptureFixture[str], command: str, option: str
) -> None:
    answer = plywise(capsys, command, "tic-tac-toe", "--table", str(table), option)
    assert (answer.code, answer.out) == (2, "")
    name = "--option" if option.startswith("-o") else option.split("=")[0]
    assert f"nothing is searched, so leave out {name}" in answer.err


def test_play_begins_only_where_the_table_knows_the_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "table")
    plywise(capsys, "tabulate", "tic-tac-toe", "-p", "XX./OO./...", "--out", file)
    answer = plywise(capsys, "play", "tic-tac-toe", "--side", "none", "--table", file)
    assert (answer.code, answer.out) == (2, "")
    assert "does not hold '.../.../...'" in answer.err


def test_what_cannot_be_read_gets_one_line(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "search", "mnk:4,3,3", "--table", str(table))
    assert (answer.code, answer.out) == (2, "")
    assert "is a table of TicTacToe(), not of MNK" in answer.err
    table.write_bytes(table.read_bytes()[:-1])
    answer = plywise(capsys, "tabulate", "tic-tac-toe", "--out", str(table))
    assert answer.code == 2
    assert "is damaged" in answer.err


def test_verify_checks_the_file_of_a_table(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "verify", str(table))
    assert (answer.code, answer.out.splitlines()[-1]) == (0, "table      right, by its checksum")
    report = json.loads(plywise(capsys, "verify", str(table), "--game", "tic-tac-toe", "--json").out)
    assert (report["ok"], report["positions"]) == (True, 5478)
    assert "not of MNK" in plywise(capsys, "verify", str(table), "--game", "mnk:4,3,3").err
    content = table.read_bytes()
    table.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    answer = plywise(capsys, "verify", str(table))
    assert (answer.code, answer.out) == (1, "")
    assert "the checksum of its content is wrong" in answer.err


def test_where_chance_decides_there_is_no_longest_win(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "tabulate", "pig:12", "--out", str(tmp_path / "table"))
    assert answer.code == 0
    assert "value iteration, to within 1e-12" in answer.out
    assert "longest" not in answer.out


def test_roots_are_given_as_texts_or_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "roots").write_text("# two positions\nXX./OO./...\nXXO/OOX/X..\n")
    out = ["--out", str(tmp_path / "table"), "--json", "--fresh"]
    both = plywise(capsys, "tabulate", "tic-tac-toe", *out, "--roots", str(tmp_path / "roots"))
    one = plywise(capsys, "tabulate", "tic-tac-toe", *out, "-p", "XXO/OOX/X..")
    assert json.loads(one.out)["positions"] == 5
    assert json.loads(both.out)["positions"] > 5
    (tmp_path / "roots").write_text("# none\n")
    none = plywise(capsys, "tabulate", "tic-tac-toe", *out, "--roots", str(tmp_path / "roots"))
    assert none.code == 2
    assert "has no positions" in none.err
