"""What commands show of a cluster, in a terminal and in a pipe."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from plywise.cli import on_cluster
from plywise.cli.on_cluster import Watch, executor_at
from plywise.cli.screen import Display, ShownDisplay
from plywise.cluster import coordinator
from plywise.cluster.bench import Kit
from plywise.cluster.executor import Executor, Job, Threads, done_in_turn
from plywise.games import Nim
from tests.cli.support import plywise
from tests.cluster.jobs import engine, wait_a_little


def test_a_terminal_shows_who_works_and_the_bar() -> None:
    out = io.StringIO()
    display = ShownDisplay(Console(file=out, force_terminal=True, width=120), "Preparing", counted=True)
    with display.progress, Threads(2) as executor:
        watch = Watch(display, "Measuring", executor)
        for done in range(3):
            watch.tell(done, 7)
        display.progress.refresh()
    for shown in ("Measuring · 1 worker with 2 threads, 1 running", "━", "2/7", "left"):
        assert shown in out.getvalue()


@pytest.mark.parametrize(("width", "has_bar"), [(79, False), (140, True)])
def test_on_a_short_line_the_bar_goes_first_then_the_text_and_never_the_numbers(width: int, has_bar: bool) -> None:
    out = io.StringIO()
    display = ShownDisplay(Console(file=out, force_terminal=True, width=width), "Preparing", counted=True)
    with display.progress, Threads(2) as executor:
        executor.retried = 7
        watch = Watch(display, "positions.txt", executor)
        for done in range(3):
            watch.tell(11_000 + done, 20_000)
        display.progress.refresh()
    last = Text.from_ansi(out.getvalue()).plain.splitlines()[-1]
    assert ("━" in last) == has_bar
    assert "positions.txt · 1 worker with " in last
    assert "11002/20000" in last
    assert re.search(r"/s +\d:\d\d:\d\d +[-\d]+:[-\d]+:[-\d]+ +left", last)


def test_while_it_waits_a_pipe_gets_lines_too(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(on_cluster, "LINE_SECONDS", 0.0)
    with Threads(1) as executor:
        watch = Watch(Display(Console(file=out, width=1000)), "Measuring", executor)
        watch.tell(3, 7)
        job = Job(Kit(Nim(), engine), wait_a_little, (2.5,))
        assert [outcome.answer() for outcome in done_in_turn(executor, [job])] == [2.5]
    line = r"Measuring · 3 of 7, 1 worker, 1 running, 0.0/s\n"
    assert re.search(f"({line}){{2}}", out.getvalue())


def test_a_pipe_gets_plain_lines_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    with Threads(2) as executor:
        watch = Watch(Display(Console(file=out, width=1000)), "Measuring", executor)
        watch.tell(1, 7)
        assert not out.getvalue()
        monkeypatch.setattr(on_cluster, "LINE_SECONDS", 0.0)
        watch.tell(3, 7)
    line = r"Measuring · 3 of 7, 1 worker with 2 threads, 1 running, [\d,.]+/s, .+ left\n"
    assert re.fullmatch(line, out.getvalue())


def test_the_link_to_dasks_own_page_is_shown_in_a_pipe_too(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(Threads, "dashboard", "http://127.0.0.1:8787", raising=False)
    with executor_at("threads", None, False, Display(Console(file=out, width=1000))) as executor:
        assert isinstance(executor, Executor)
    assert out.getvalue() == "Dask shows what its workers do at http://127.0.0.1:8787\n"


@pytest.mark.parametrize(
    "command",
    [
        "analyse tic-tac-toe positions --out results",
        "match tic-tac-toe -1 random -2 random --games 4",
        "search tic-tac-toe --depth 7",
        "solve tic-tac-toe -p XO./.../...",
        "tabulate tic-tac-toe --out table",
        "train mnk:3,3,3 --hours 0.0003 --nodes 5 --out network",
        "tune-jamboree tic-tac-toe --depth 3 --percentages 0 --repeats 2",
    ],
)
def test_every_command_says_in_a_pipe_who_works(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(on_cluster, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(coordinator, "TELL_SECONDS", 0.0)
    monkeypatch.chdir(tmp_path)
    Path("positions").write_text("XO./.../...\nXO./..X/...\n")
    said = plywise(capsys, *command.split(), "--cluster", "threads").err
    assert re.search(r" · .*1 worker.*, \d+ running", said), said
