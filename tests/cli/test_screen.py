"""The display of something that takes its time."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from plywise.cli.screen import ShownWork


def test_a_bar_is_shown_only_when_something_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()

    def shown() -> str:
        start = out.tell()
        work.progress.refresh()
        return out.getvalue()[start:]

    work = ShownWork(Console(file=out, force_terminal=True, width=80), "Reading")
    with work.progress:
        work.tell(1, 2)
        assert "Reading" in shown()
        assert "━" not in shown()
        monkeypatch.setattr(ShownWork, "PATIENCE", 0.0)
        work.say("Following")
        assert "━" not in shown()
        work.tell(1, 2)
        assert "━" in shown()
        work.say("Writing")
        assert "━" not in shown()
