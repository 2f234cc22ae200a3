"""What commands show of a cluster, in a terminal and in a pipe."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from plywise.cli import on_cluster
from plywise.cli.on_cluster import Watch, executor_at
from plywise.cli.screen import Display, ShownDisplay
from plywise.cluster import coordinator
from plywise.cluster.executor import Executor, Threads
from tests.cli.support import plywise


def test_a_terminal_shows_who_works_and_the_bar() -> None:
    out = io.StringIO()
    display = ShownDisplay(Console(file=out, force_terminal=True, width=120), "Preparing", counted=True)
    with display.progress, Threads(2) as executor:
        watch = Watch(display, "Measuring", executor)
        for done in range(3):
            watch.tell(done, 7)
        display.progress.refresh()
    for shown in ("Measuring · 1 worker with 2 threads, 0 running", "━", "2/7", "left"):
        assert shown in out.getvalue()


def test_a_pipe_gets_plain_lines_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    with Threads(2) as executor:
        watch = Watch(Display(Console(file=out, width=1000)), "Measuring", executor)
        watch.tell(1, 7)
        assert not out.getvalue()
        monkeypatch.setattr(on_cluster, "LINE_SECONDS", 0.0)
        watch.tell(3, 7)
    line = r"Measuring · 3 of 7, 1 worker with 2 threads, 0 running, [\d,.]+/s, .+ left\n"
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
