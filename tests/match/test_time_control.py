"""Time controls in the usual notation, and running clocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.errors import SearchError
from plywise.match.time_control import Clock, Limits, TimeControl


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("3:00+2", (180, 2, None)),
        ("10+0.1", (10, 0.1, None)),
        ("0.5", (0.5, 0, None)),
        ("40/5:00", (300, 0, 40)),
        ("1:30:00+30", (5400, 30, None)),
        (" 40/1:00+0.5 ", (60, 0.5, 40)),
        ("1000000", (1e6, 0, None)),
        ("1234567.25+1000000.5", (1234567.25, 1000000.5, None)),
        ("999999999.5", (999999999.5, 0, None)),
        ("277777:46:39", (999999999, 0, None)),
        ("0.00001+0.000000001", (0.00001, 1e-9, None)),
        ("1:00.1", (60.1, 0, None)),
    ],
)
def test_time_controls_are_read_and_read_again(text: str, control: tuple[float, float, int | None]) -> None:
    read = TimeControl.parse(text)
    assert read == control
    assert TimeControl.parse(str(read)) == read


@pytest.mark.parametrize(
    "text", ["", "x", "1:2:3:4", "+1", "-1", "0", "0:00+2", "0/1:00", "10+", "10++1", "1e3", "inf", "9" * 400, "٣:00",
             "1000000000", "277778:00:00"]
)  # fmt: skip
def test_what_is_no_time_control_is_refused(text: str) -> None:
    with pytest.raises(SearchError):
        TimeControl.parse(text)


@given(st.floats(1e-9, 1e9, exclude_max=True), st.floats(0, 1e9, exclude_max=True))
def test_whatever_was_read_can_be_written_and_read_again(base: float, increment: float) -> None:
    read = TimeControl.parse(f"{base:.17f}+{increment:.17f}")
    assert TimeControl.parse(str(read)) == read


def test_a_clock_runs_and_gets_its_increment() -> None:
    clock = Clock(Limits(TimeControl.parse("10+2")))
    assert clock.spend(3, 0)
    assert clock.remaining == 9
    assert not clock.spend(9.01, 0)
    assert clock.spend(9.01, 0.1)
    assert clock.remaining == 2


def test_after_so_many_moves_there_is_time_again() -> None:
    clock = Clock(Limits(TimeControl.parse("2/10")))
    assert clock.moves_to_go == 2
    assert clock.spend(4, 0)
    assert (clock.moves_to_go, clock.remaining) == (1, 6)
    assert clock.spend(5, 0)
    assert (clock.moves_to_go, clock.remaining) == (2, 11)


def test_seconds_for_each_move_and_no_clock_at_all() -> None:
    each = Clock(Limits(seconds=0.5))
    assert each.spend(0.5, 0)
    assert each.spend(0.5, 0)
    assert not each.spend(0.6, 0)
    assert Clock(Limits(nodes=10)).spend(1e6, 0)


def test_limits_that_make_no_sense_are_refused() -> None:
    for wrong in ({"seconds": 0}, {"nodes": 0}, {"depth": 0}, {"clock": TimeControl(1), "seconds": 1}):
        with pytest.raises(SearchError):
            Limits(**wrong)
