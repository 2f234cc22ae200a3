"""The tree view in notebooks."""

from __future__ import annotations

import json
import re
import sys

import pytest

import plywise as pw
from plywise.errors import SearchError
from plywise.explain import widget
from plywise.explain.look import SIZES, Style


def recorded() -> pw.Result:
    with pw.interpreted():
        return pw.search(pw.games.RedBlue(), algorithm="alphabeta", record=True)


def test_a_recorded_search_becomes_a_widget_with_its_story() -> None:
    pytest.importorskip("anywidget", reason="needs the extra notebook")
    result = recorded()
    shown = pw.show(result, step=3)
    assert shown.story == pw.explain.story(result)
    assert shown.step == 3
    assert json.dumps(shown.get_state()["story"])


def test_the_module_stands_alone() -> None:
    source = widget.module_source()
    assert not re.search(r"^import ", source, re.MULTILINE)
    assert re.findall(r"^export .*", source, re.MULTILINE) == ["export default { render };"]
    names = re.findall(r"^(?:const|let|function|class) (\w+)", source, re.MULTILINE)
    assert len(names) == len(set(names))


def test_type_is_as_large_on_the_page_as_its_measures_say() -> None:
    sizes = dict(re.findall(r"^\.pw-svg \.pw-(\w+) \{[^}]*font-size: (\d+)px", widget._file("tree.css"), re.MULTILINE))
    sizes["move"] = re.search(r"^\.pw-svg text \{[^}]*font-size: (\d+)px", widget._file("tree.css"), re.MULTILINE)[1]
    styles: tuple[Style, ...] = ("value", "entry", "now", "interval", "board", "move", "bound")
    assert {style: float(sizes[style]) for style in styles} == {style: SIZES[style] for style in styles}


def test_steps_and_notations_that_there_are_not_are_refused() -> None:
    with pytest.raises(SearchError, match="has 33 steps"):
        pw.show(recorded(), step=34)
    with pytest.raises(SearchError, match="there are: window, edge, interval"):
        pw.show(recorded(), notation="blank")


def test_without_anywidget_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    widget._widget_class.cache_clear()
    with pytest.raises(SearchError, match=r"plywise\[notebook\]"):
        pw.show(recorded())
