"""``plywise tune-jamboree`` measures settings of the parallel search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import plywise


def test_tune_jamboree_measures_every_setting_and_recommends_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep = tmp_path / "sweep.csv"
    settings = ("--percentages", "0,50", "--cutoffs", "2", "--repeats", "1", "--csv", str(sweep))
    answer = plywise(capsys, "tune-jamboree", "tic-tac-toe", "--depth", "4", *settings, "--json")
    report = json.loads(answer.out)
    assert report["percentage_sequential"] in (0, 50)
    assert report["cutoff"] == 2
    measured = {(row["threads"], row["percentage_sequential"]) for row in report["measurements"]}
    assert measured == {(1, 100), (2, 0), (2, 50)}
    assert len(sweep.read_text().splitlines()) == 1 + len(report["measurements"])


def test_measurements_are_kept_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tune-jamboree", "tic-tac-toe", "--depth", "3", "--percentages", "0", "--out", str(tmp_path / "out")]
    for repeats in (1, 2):
        assert plywise(capsys, *command, "--repeats", str(repeats)).code == 0
        assert len((tmp_path / "out").read_text().splitlines()) == 1 + repeats
    assert plywise(capsys, *command, "--repeats", "1", "--fresh").code == 0
    assert len((tmp_path / "out").read_text().splitlines()) == 2
