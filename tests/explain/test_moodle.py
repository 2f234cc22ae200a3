"""Moodle XML is read back here as Moodle reads it: by question type, with its fractions, gaps and files."""

from __future__ import annotations

import base64
import math
import random
import re
from html.parser import HTMLParser
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from plywise.errors import QuizError
from plywise.explain import Quiz, Wishes, moodle_xml, quiz_about, quiz_number, quiz_of, random_quiz
from plywise.games import Tree
from tests.explain.test_quiz import random_json

SHARES = {100, 90, 83.33333, 80, 75, 70, 66.66667, 60, 50, 40, 33.33333, 30, 25, 20, 16.66667, 14.28571, 12.5,
          11.11111, 10, 5, 0}  # fmt: skip
"""The fractions that Moodle takes: others stop the import."""
GAP = re.compile(r"\{1:(NUMERICAL|SHORTANSWER):(=[^{}]+)\}")


class Page(HTMLParser):
    """The parts of a question's text that matter: pictures and words."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.pictures: list[dict[str, str | None]] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.pictures.append(dict(attrs))

    def handle_data(self, data: str) -> None:
        self.words += data


def read(*quizzes: Quiz, names: list[str] | None = None) -> list[Element]:
    """Return the questions of a document, without the categories, each checked for what all have."""
    root = ElementTree.fromstring(moodle_xml(*quizzes, names=names))
    assert root.tag == "quiz"
    questions = [question for question in root if question.get("type") != "category"]
    for question in questions:
        assert text(question, "name")
        assert re.search(r"Step \d+: ", text(question, "generalfeedback"))
        asked = question.find("questiontext")
        assert asked is not None
        assert asked.get("format") == "html"
        [picture] = Page(text(question, "questiontext")).pictures
        assert picture["src"] == "@@PLUGINFILE@@/tree.svg"
        assert picture["alt"]
        [file] = asked.findall("file")
        assert (file.get("name"), file.get("path"), file.get("encoding")) == ("tree.svg", "/", "base64")
        assert ElementTree.fromstring(base64.b64decode(file.text or "")).tag == "{http://www.w3.org/2000/svg}svg"
    return questions


def text(element: Element, tag: str) -> str:
    found = element.find(f"{tag}/text")
    assert found is not None, tag
    return found.text or ""


def fractions(question: Element) -> dict[str, float]:
    """Return what each choice brings; all fractions are ones that Moodle takes."""
    found = {answer.findtext("text", ""): float(answer.get("fraction", "")) for answer in question.findall("answer")}
    assert {abs(fraction) for fraction in found.values()} <= SHARES
    return found


def gaps(question: Element) -> list[tuple[str, list[str]]]:
    """Return the gaps of a Cloze question: each with its kind and the right answers."""
    return [(kind, answers.split("~")) for kind, answers in GAP.findall(text(question, "questiontext"))]


def test_red_blue_goes_out_and_comes_in_again() -> None:
    value, pruned, window, move = read(quiz_number(1))
    assert [each.get("type") for each in (value, pruned, window, move)] == [
        "multianswer", "multichoice", "multianswer", "multichoice",
    ]  # fmt: skip
    assert gaps(value) == [("NUMERICAL", ["=-3:0"])]
    assert fractions(pruned) == {
        "a (B B B)": -50, "b (B B R)": -50, "c (B R B)": -50, "d (B R R)": -50, "e (R B B)": -50, "f (R B R)": -50,
        "g (R R B)": 50, "h (R R R)": 50, "none of them": -50,
    }  # fmt: skip
    assert (pruned.findtext("single"), pruned.findtext("shuffleanswers")) == ("false", "0")
    assert gaps(window) == [("SHORTANSWER", ["=-inf", "=-∞", "=−inf", "=−∞"]), ("NUMERICAL", ["=-3:0"])]
    assert fractions(move) == {"B": 100, "R": 0}
    assert move.findtext("single") == "true"
    assert [text(answer, "feedback") for answer in move.findall("answer")] == [
        "",
        quiz_number(1).grade("move", "R").hint,
    ]
    assert text(pruned, "name") == "Quiz 1: RED-BLUE, pruned"
    assert "alpha ≥ beta: a tie is cut" in Page(text(pruned, "questiontext")).words


def test_exactly_the_right_choices_bring_all_points_on_random_trees() -> None:
    for seed in range(60):
        quiz = quiz_about(Tree.from_json(random_json(random.Random(seed), 4)), strict=seed % 2 == 1, seed=seed)
        [pruned] = read(quiz, names=["pruned"])
        found = fractions(pruned)
        right = {quiz.label(letter) for letter in quiz.pruned} or {"none of them"}
        assert {choice for choice, fraction in found.items() if fraction > 0} == right, seed
        assert math.isclose(sum(found[choice] for choice in right), 100, abs_tol=1e-3), seed
        assert all(fraction < 0 for choice, fraction in found.items() if choice not in right), seed


@pytest.mark.parametrize("count", range(1, 21))
def test_the_points_are_shared_among_up_to_twenty_leaves(count: int) -> None:
    quiz = quiz_of({"tree": f"[[3, 4], [2{', 9' * count}]]"})
    [pruned] = read(quiz, names=["pruned"])
    shares = [fraction for fraction in fractions(pruned).values() if fraction > 0]
    assert len(shares) == count
    assert math.isclose(sum(shares), 100, abs_tol=1e-3)


def test_more_leaves_than_moodle_can_share_points_among_are_asked_for_as_a_text() -> None:
    quiz = quiz_of({"tree": f"[[3, 4], [2{', 9' * 21}]]"})
    [pruned] = read(quiz, names=["pruned"])
    assert pruned.get("type") == "shortanswer"
    assert fractions(pruned) == {quiz.answer("pruned"): 100}
    assert "Mark each" not in text(pruned, "questiontext")


def test_numbers_may_be_written_exactly_or_as_they_are_drawn() -> None:
    [value] = read(quiz_of({"tree": "[[0.3333333333, 1], [0.25, 2]]"}), names=["value"])
    [(kind, answers)] = gaps(value)
    assert kind == "NUMERICAL"
    assert [answer.removesuffix(":0") for answer in answers] == ["=0.333333", "=0.3333333333"]


def test_every_quiz_has_a_category_of_its_own() -> None:
    quizzes = [random_quiz(seed, Wishes(depth=2), title=f"Week 1/{seed}") for seed in (1, 2)]
    root = ElementTree.fromstring(moodle_xml(*quizzes, names=["value", "move"]))
    assert [question.get("type") for question in root] == ["category", "multianswer", "multichoice"] * 2
    assert text(root[0], "category") == "$course$/top/plywise/Week 1//1"


def test_names_that_look_like_markup_stay_names() -> None:
    moves = '{"player": "max", "children": [{"move": "<b>&", "value": 3}, {"move": "]]>", "value": 1}]}'
    [move] = read(quiz_of({"tree": moves}), names=["move"])
    assert fractions(move) == {"&lt;b&gt;&amp;": 100, "]]&gt;": 0}


def test_braces_in_names_are_no_code_of_a_cloze_question() -> None:
    name = "{1:NUMERICAL:=7}"
    moves = f'{{"player": "max", "children": [{{"move": "{name}", "value": 3}}, {{"move": "b", "value": 1}}]}}'
    [value] = read(quiz_of({"tree": moves}), names=["value"])
    html = text(value, "questiontext")
    assert name in Page(html).pictures[0]["alt"]
    assert (html.count("{"), html.count("}")) == (1, 1)
    assert gaps(value) == [("NUMERICAL", ["=3:0"])]


def test_an_unknown_question_is_refused() -> None:
    with pytest.raises(QuizError, match="'depth' is not a question"):
        moodle_xml(quiz_number(1), names=["depth"])
