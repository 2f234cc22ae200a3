"""Margins: numbers of selective search that compiled code reads at run time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.engine.margins import MARGINS, margins_for

MIDDLE = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7"
DEFAULTS = {name: margin.default for name, margin in MARGINS.items()}
CONNECT_FOUR = pw.games.ConnectFour()


def nodes(engine: pw.Engine, position: str, depth: int) -> int:
    return engine.search(position, depth=depth, exact=False).nodes


def test_other_margins_change_a_search_and_the_defaults_do_not() -> None:
    game = pw.games.Chess()
    usual = nodes(pw.Engine(game, table_mb=4), MIDDLE, 7)
    own = margins_for(game, None)
    assert nodes(pw.Engine(game, table_mb=4, margins=own), MIDDLE, 7) == usual
    assert nodes(pw.Engine(game, table_mb=4, margins={"late": 1.0, "late_depth": 0.4}), MIDDLE, 7) != usual


def test_an_engine_can_be_given_other_margins_and_forgets_what_it_found() -> None:
    engine = pw.Engine(CONNECT_FOUR, table_mb=1)
    usual = nodes(engine, "44", 12)
    engine.set_margins({"reduction": 2.0})
    reduced = nodes(engine, "44", 12)
    assert reduced == nodes(pw.Engine(CONNECT_FOUR, table_mb=1, margins={"reduction": 2.0}), "44", 12) != usual
    engine.set_margins(None)
    assert nodes(engine, "44", 12) == usual


def test_plain_python_reads_the_same_margins() -> None:
    engine = pw.Engine(CONNECT_FOUR, table_mb=1)
    with pw.interpreted():
        nodes(engine, "44", 6)
        for margins in (None, {"reduction": 2.0}):
            engine.set_margins(margins)
            with_plain = nodes(engine, "44", 6)
            assert with_plain == nodes(pw.Engine(CONNECT_FOUR, table_mb=1, margins=margins), "44", 6)


class Stating(pw.Tactics, pw.games.TicTacToe):
    """A game that states its margins."""

    def margins(self) -> Mapping[str, float]:
        return {"late": 7.5}


def test_a_game_states_its_margins_and_others_may_be_given() -> None:
    assert margins_for(Stating(), None) == {**DEFAULTS, "late": 7.5}
    assert margins_for(Stating(), {"late": 2, "null": 3.5}) == {**DEFAULTS, "late": 2.0, "null": 3.5}


@pytest.mark.parametrize(
    ("margins", "message"),
    [
        ({"lat": 1.0}, "there is no margin 'lat'; there are: futility"),
        ({"late": "many"}, "margin late='many' must be a number from 0"),
        ({"late": True}, "margin late=True must be a number from 0"),
        ({"late": -1}, "margin late=-1 must be a number from 0"),
    ],
)
def test_wrong_margins_are_refused(margins: Any, message: str) -> None:
    with pytest.raises(pw.SearchError, match=message):
        pw.Engine(CONNECT_FOUR, margins=margins)
    engine = pw.Engine(CONNECT_FOUR)
    with pytest.raises(pw.SearchError, match=message):
        engine.set_margins(margins)
    assert engine.margins == DEFAULTS


@pytest.mark.parametrize("content", ["", "{", "[]", '{"margins": 1}', '{"late": 3}', "[" * 100_000])
def test_a_file_without_margins_is_refused(content: str, tmp_path: Path) -> None:
    file = tmp_path / "margins.json"
    file.write_text(content)
    with pytest.raises(pw.SearchError, match="has no margins"):
        pw.Engine(CONNECT_FOUR, margins=file)
    with pytest.raises(pw.SearchError, match="cannot read margins"):
        pw.Engine(CONNECT_FOUR, margins=tmp_path / "none")


def test_every_default_is_within_its_range() -> None:
    assert all(margin.least <= margin.default <= margin.most for margin in MARGINS.values())


def test_the_table_in_the_docs_has_all_margins() -> None:
    text = (Path(__file__).parents[2] / "docs" / "engine.md").read_text()
    for name, margin in MARGINS.items():
        ends = f"{margin.least:g} to {margin.most:g}"
        assert f"| `{name}` | {margin.default:.4g} | {ends} | {margin.meaning} |" in text
