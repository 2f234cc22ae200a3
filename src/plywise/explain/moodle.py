"""Quizzes as Moodle XML, for the question bank of a course.

Choices become ``multichoice`` questions, blanks become ``multianswer`` (Cloze) questions.  Each question carries the
drawing as a file of its own, so it stays whole when a teacher moves or copies it.
"""

from __future__ import annotations

import base64
import dataclasses
import math
from collections.abc import Sequence
from html import escape
from xml.etree.ElementTree import Element, SubElement

from plywise.explain.quiz import Quiz
from plywise.explain.quiz_items import DRAWING, Blank, Item, described, document, drawing, items, preamble

MOST_SHARES = 20
"""The most right choices that can share the points: Moodle knows no share below 5 %."""
_SHARES = {3: "33.33333", 6: "16.66667", 7: "14.28571", 9: "11.11111"}
"""Shares of 100 % that are no short decimals, as Moodle writes them."""


def moodle_xml(*quizzes: Quiz, names: Sequence[str] | None = None) -> str:
    """Return quizzes as a Moodle XML document, one category per quiz.

    Args:
        quizzes: the quizzes to export.
        names: which questions to ask; default: all.

    Raises:
        QuizError: a quiz has no such question.

    >>> from plywise.explain import quiz_number
    >>> text = moodle_xml(quiz_number(1))
    >>> [text.count(f'type="{kind}"') for kind in ("category", "multianswer", "multichoice")]
    [1, 2, 2]
    """
    root = Element("quiz")
    for quiz in quizzes:
        category = SubElement(root, "question", type="category")
        # In the path of a category a slash is written twice.
        _text(category, "category", f"$course$/top/plywise/{quiz.title.replace('/', '//')}")
        for item in items(quiz, names):
            root.append(_question(quiz, item))
    return document(root)


def _question(quiz: Quiz, item: Item) -> Element:
    made = _choices(quiz, item) if item.choices else _blanks(quiz, item)
    feedback = "".join(f"<p>{escape(step)}</p>" for step in item.why)
    _text(made, "generalfeedback", feedback, format="html")
    return made


def _asked(kind: str, quiz: Quiz, item: Item, below: str = "") -> Element:
    """Return a question with its name, its text and the drawing."""
    question = Element("question", type=kind)
    _text(question, "name", item.title)
    html = (
        f"<p>{_html(preamble(quiz))}</p>"
        f'<p><img src="@@PLUGINFILE@@/{DRAWING}" alt="{_html(described(quiz))}"></p>'
        f"<p><strong>{_html(item.text)}</strong> {_html(item.note)}</p>{below}"
    )
    asked = _text(question, "questiontext", html, format="html")
    file = SubElement(asked, "file", name=DRAWING, path="/", encoding="base64")
    file.text = base64.b64encode(drawing(quiz)).decode()
    return question


# Choices -------------------------------------------------------------------------------------------------------------


def _choices(quiz: Quiz, item: Item) -> Element:
    right = [choice.text for choice in item.choices if choice.right]
    if len(right) > MOST_SHARES:
        return _listed(quiz, item, right)
    question = _asked("multichoice", quiz, item)
    for tag, text in (("defaultgrade", "1"), ("single", str(not item.several).lower()), ("shuffleanswers", "0"),
                      ("answernumbering", "none")):  # fmt: skip
        SubElement(question, tag).text = text
    shares = iter(_shares(len(right)))
    cost = f"-{_shares(len(right))[0]}" if item.several else "0"
    for choice in item.choices:
        answer = SubElement(question, "answer", fraction=next(shares) if choice.right else cost, format="html")
        SubElement(answer, "text").text = escape(choice.text)
        _text(answer, "feedback", escape(choice.hint), format="html")
    return question


def _shares(count: int) -> list[str]:
    """Return fractions of 100 that add up to it and that Moodle knows: equal ones if possible, else tens and fives.

    >>> _shares(3), _shares(4), _shares(11)[-3:]
    (['33.33333', '33.33333', '33.33333'], ['25', '25', '25', '25'], ['10', '5', '5'])
    """
    if count <= 10:
        return [_SHARES.get(count, f"{100 / count:g}")] * count
    tens = MOST_SHARES - count
    return ["10"] * tens + ["5"] * (count - tens)


def _listed(quiz: Quiz, item: Item, right: Sequence[str]) -> Element:
    """Return a question for a text: more right choices than Moodle can give points to."""
    letters = " ".join(text.split()[0] for text in right)
    note = "Write their letters from left to right, with a space between two, such as a b c."
    question = _asked("shortanswer", quiz, dataclasses.replace(item, note=note))
    for tag, text in (("defaultgrade", "1"), ("usecase", "0")):
        SubElement(question, tag).text = text
    answer = SubElement(question, "answer", fraction="100", format="plain_text")
    SubElement(answer, "text").text = letters
    _text(answer, "feedback", "", format="html")
    return question


# Blanks --------------------------------------------------------------------------------------------------------------


def _blanks(quiz: Quiz, item: Item) -> Element:
    gaps = "".join(f"<p>{_html(blank.label)}: {_gap(blank)}</p>" for blank in item.blanks)
    return _asked("multianswer", quiz, item, gaps)


def _gap(blank: Blank) -> str:
    """Return a gap in Moodle's Cloze notation: a number, or a text where the right answer is infinite."""
    if math.isinf(blank.value):
        return f"{{1:SHORTANSWER:{'~'.join(f'={text}' for text in blank.spellings)}}}"
    numbers = [text for text in blank.spellings if "−" not in text]
    return f"{{1:NUMERICAL:{'~'.join(f'={text}:0' for text in numbers)}}}"


def _html(text: str) -> str:
    """Return a text as HTML without braces, which are code in a Cloze question.

    >>> _html("{1:<}")
    '&#123;1:&lt;&#125;'
    """
    return escape(text).replace("{", "&#123;").replace("}", "&#125;")


def _text(parent: Element, tag: str, text: str, **attributes: str) -> Element:
    """Add an element with a text, as Moodle nests it."""
    element = SubElement(parent, tag, attributes)
    SubElement(element, "text").text = text
    return element
