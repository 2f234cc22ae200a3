"""The progress of a compilation: it grows, ends with None, and is measured by what was seen before."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import plywise as pw
from plywise.compiling.progress import USUAL, Compiling, Timetable, compile_notice, timetable
from plywise.compiling.reading import NotReady, only_ready
from plywise.errors import CompileWarning


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    return tmp_path


@pytest.fixture
def news():
    told: list[Compiling | None] = []
    token = compile_notice.set(told.append)
    yield told
    compile_notice.reset(token)


class Counting(pw.games.Nim):
    """A game of our own, which no other test compiles."""


def test_a_compilation_tells_how_far_it_is_and_remembers_its_times(folder: Path, news: list[Compiling | None]) -> None:
    with pytest.raises(NotReady), only_ready():
        pw.solve(Counting(), "1,2,3 max", algorithm="minimax")
    assert not news
    pw.solve(Counting(), "1,2,3 max", algorithm="minimax")
    *during, end = news
    assert end is None
    assert len(during) >= 2
    assert all(each is not None and each.what == "minimax for Counting" and not each.elsewhere for each in during)
    shares = [each.done for each in during if each]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] < 1
    known = json.loads((folder / "compile-times.json").read_text())
    assert known["minimax for Counting"] == sorted(known["minimax for Counting"])
    assert timetable("minimax for Counting").times == tuple(known["minimax for Counting"])
    assert timetable("minimax for Chess") == timetable("minimax for Counting")  # the nearest that is known
    assert timetable("memo for Chess") == USUAL
    with only_ready():
        assert pw.solve(Counting(), "1,2,3 max", algorithm="minimax").compiled
    assert news[-1] is None


def test_a_game_that_cannot_be_compiled_ends_the_notices(folder: Path, news: list[Compiling | None]) -> None:
    class Spelled(pw.games.Nim):
        def evaluate(self, state):
            return int(str(state.turn) + "0")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileWarning)
        assert not pw.search(Spelled(), depth=2, algorithm="minimax").compiled
    assert news[0] is not None
    assert news[-1] is None
    assert not (folder / "compile-times.json").exists()


def test_a_timetable_that_was_too_short_or_too_long_stays_within_bounds() -> None:
    table = Timetable((1.0, 2.0, 4.0))
    for finished, since, passed in ((0, 0, 0), (0, 100, 100), (3, 0, 4), (99, 1000, 5000)):
        progress = table.progress("x", table.place(finished, since), passed)
        assert 0 <= progress.done < 1
        assert progress.left >= 0
    assert table.place(0, 3.0, whole=True) == 3.0


@pytest.mark.parametrize("content", ["", "[]", "{", '{"minimax for Nim": 3}', '{"minimax for Nim": ["x"]}'])
def test_a_damaged_file_is_no_problem(folder: Path, content: str) -> None:
    (folder / "compile-times.json").write_text(content)
    assert timetable("minimax for Nim") == USUAL
