"""Commands under test run interpreted, unless a test is about compiling: small games need no machine code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    return
