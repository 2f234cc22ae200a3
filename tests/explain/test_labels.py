"""Long labels are shortened in every drawing; formats with tooltips show the whole text."""

from __future__ import annotations

import pytest

import plywise as pw
from plywise.explain import drawing, figure, grow, sentence
from plywise.explain.story import story
from plywise.explain.text import LONGEST_LABEL, short_label
from plywise.games import RedBlue
from plywise.games.red_blue import Choices
from tests.explain.test_search_tree import recorded

LONG = "x" * 400_000
SHORT = short_label(LONG)


class Wordy(RedBlue):
    """Moves that no drawing has room for."""

    def format_move(self, state: Choices, move: int) -> str:
        return LONG if move else "B"


@pytest.fixture(scope="module")
def result() -> pw.Result:
    return recorded(Wordy(), "alphabeta")


def test_a_short_text_stays_as_it_is() -> None:
    assert short_label("x" * LONGEST_LABEL) == "x" * LONGEST_LABEL
    assert len(SHORT) == LONGEST_LABEL
    assert SHORT.endswith("x…")


def test_a_long_label_makes_no_wide_drawing(result: pw.Result) -> None:
    drawn = figure(grow(result))
    assert drawn.width < 4000
    moves = [text for edge in drawn.edges for text in edge.texts if text.style == "move"]
    assert {text.text for text in moves} == {"B", SHORT}
    assert all(text.full == (LONG if text.text == SHORT else "") for text in moves)


def test_svg_tells_the_whole_and_the_others_write_the_short_text(result: pw.Result) -> None:
    drawn = figure(grow(result))
    assert f"<title>{LONG}</title>{SHORT}</text>" in drawn.svg()
    dot = drawn.dot()
    assert f'label="{SHORT}"' in dot
    assert f'labeltooltip="{LONG}"' in dot
    assert LONG not in drawn.tikz()
    assert max(map(len, drawn.tikz().splitlines())) < 300


def test_the_terminal_and_sentences_write_the_short_text(result: pw.Result) -> None:
    tree = grow(result)
    lines = [line.content.plain for line in drawing(tree)]
    assert any(SHORT in line for line in lines)
    assert max(map(len, lines)) < 300
    assert max(len(sentence(tree, event)) for event in result.events or ()) < 500


def test_a_story_has_short_labels_and_tells_the_whole_once(result: pw.Result) -> None:
    visits = story(result)["visits"]
    assert {visit["move"] for visit in visits} == {"", "B", SHORT}
    assert {visit.get("full") for visit in visits} == {None, LONG}
    assert all(len(step["text"]) < 500 for step in story(result)["steps"])
