"""``plywise tree`` draws the searched tree, prints its steps, and writes it to files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.support import plywise


def test_tree(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "tree", "red-blue")
    assert answer.code == 0
    assert "└─ R ▲ (-∞, -3) ≥ -2" in answer.out
    assert "Cut rule: alpha ≥ beta." in answer.out
    assert "\x1b" not in answer.out
    assert "value -3, best play B R R; 12 nodes visited, 6 of them leaves" in answer.out


def test_tree_from_a_file_strictly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lecture.json"
    file.write_text("[[3, 8], [3, 9]]")
    assert "✂ 2  alpha 3 = beta 3" in plywise(capsys, "tree", str(file)).out
    strict = plywise(capsys, "tree", str(file), "--strict").out
    assert "alpha > beta (strict)" in strict
    assert "✂ 2" not in strict


def test_tree_in_steps_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    told = plywise(capsys, "tree", "red-blue", "--steps").out
    assert "  1. Enter the root (Min) with the window (-∞, ∞)." in told
    assert " 33. The root (Min) returns -3." in told
    report = json.loads(plywise(capsys, "tree", "red-blue", "--steps", "--json").out)
    assert len(report["steps"]) == 33
    assert report["passes"][0]["alpha"] is None
    assert report["result"]["value"] == -3


def test_a_big_tree_is_drawn_as_deep_as_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "tree", "connect-four")
    assert "to depth 2" in answer.out
    assert len(answer.out.splitlines()) < 100


def test_tree_writes_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    files = {kind: tmp_path / f"tree.{kind}" for kind in ("svg", "png", "tikz", "dot")}
    options = [part for kind, path in files.items() for part in (f"--{kind}", str(path))]
    answer = plywise(capsys, "tree", "red-blue", *options)
    assert answer.code == 0, answer.err
    assert answer.out.splitlines() == [f"Wrote {path}" for path in files.values()]
    starts = {kind: path.read_bytes()[:8] for kind, path in files.items()}
    assert starts == {"svg": b"<svg xml", "png": b"\x89PNG\r\n\x1a\n", "tikz": b"\\documen", "dot": b"digraph "}


def test_tree_draws_a_position_to_a_depth_collapsed_and_with_boards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tree.svg"
    plywise(capsys, "tree", "connect-four", "-p", "445566", "-d", "2", "--widest", "3", "--svg", str(file))
    drawing = file.read_text(encoding="utf-8")
    assert "to depth 2" in drawing
    assert "<circle" in drawing  # a stone on a small board
    assert "+4" in drawing
    plywise(capsys, "tree", "connect-four", "-p", "445566", "-d", "2", "--no-boards", "--svg", str(file))
    assert "<circle" not in file.read_text(encoding="utf-8")


def test_tree_writes_the_notation_and_the_rule_that_was_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lecture, file = tmp_path / "lecture.json", tmp_path / "tree.svg"
    lecture.write_text("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    plywise(capsys, "tree", str(lecture), "--svg", str(file), "--notation", "interval", "--strict")
    drawing = file.read_text(encoding="utf-8")
    assert "[-∞, 2]" in drawing
    assert "alpha &gt; beta (strict)" in drawing


def test_tree_tells_and_reports_besides_drawing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tree.dot"
    assert "Enter the root" in plywise(capsys, "tree", "red-blue", "--steps", "--dot", str(file)).out
    assert json.loads(plywise(capsys, "tree", "red-blue", "--json", "--dot", str(file)).out)["algorithm"] == "alphabeta"


def test_what_cannot_be_drawn_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [
        plywise(capsys, "tree", "red-blue", "--notation", "arrows"),
        plywise(capsys, "tree", "red-blue", "--widest", "0", "--svg", str(tmp_path / "tree.svg")),
        plywise(capsys, "tree", "red-blue", "--svg", str(tmp_path / "nowhere" / "tree.svg")),
        plywise(capsys, "compare", "red-blue", "--plot", str(tmp_path / "chart.txt")),
    ]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.backend_bases", None)
    answers += [
        plywise(capsys, "tree", "red-blue", "--png", str(tmp_path / "tree.png")),
        plywise(capsys, "compare", "red-blue", "--plot", str(tmp_path / "chart.png")),
    ]
    for answer in answers:
        assert (answer.code, answer.err.count("\n")) == (2, 1), answer
        assert answer.err.startswith("plywise: ")
    assert "there are: window, edge, interval, blank" in answers[0].err
    assert all("pip install 'plywise[plot]'" in answer.err for answer in answers[-2:])
    assert not list(tmp_path.iterdir())
