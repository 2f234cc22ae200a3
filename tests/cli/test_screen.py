"""The display of long-running commands."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from plywise.cli.screen import ShownDisplay


def test_a_bar_is_shown_only_when_something_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()

    def shown() -> str:
        start = out.tell()
        display.progress.refresh()
        return out.getvalue()[start:]

    display = ShownDisplay(Console(file=out, force_terminal=True, width=80), "Reading")
    with display.progress:
        display.tell(1, 2)
        assert "Reading" in shown()
        assert "━" not in shown()
        monkeypatch.setattr(ShownDisplay, "PATIENCE", 0.0)
        display.begin("Following")
        assert "━" not in shown()
        display.tell(1, 2)
        assert "━" in shown()
        display.say("Following: 2 workers")
        assert "━" in shown()
        display.begin("Writing")
        assert "━" not in shown()


def test_what_is_counted_has_its_bar_count_and_time_left_at_once() -> None:
    out = io.StringIO()
    display = ShownDisplay(Console(file=out, force_terminal=True, width=120), "positions.txt", counted=True)
    with display.progress:
        display.tell(3, 7)
        display.progress.refresh()
    for shown in ("3/7", "left", "━"):
        assert shown in out.getvalue()
