"""``plywise tour`` shows what plywise does."""

from __future__ import annotations

import pytest

from tests.cli.support import plywise


def test_tour_without_a_terminal_asks_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "tour")
    assert answer.code == 0
    for promised in ("value     0 (proven)", "proof     checked", "depth   3", "✂ R", "Where to go next"):
        assert promised in answer.out
