"""Explanations: views of the events that a recorded search leaves behind.

``grow`` turns events into the tree that was searched, ``sentence`` puts one event into words, ``drawing`` shows the
tree on the terminal, ``figure`` draws it for other formats, ``quiz_number`` and ``random_quiz`` ask about it.  None of
them searches by itself: they only read events.
"""

from __future__ import annotations

from plywise.explain.exercise_sheet import sheet
from plywise.explain.figure import Figure, figure
from plywise.explain.handed_in import Marks, marks
from plywise.explain.moodle import moodle_xml
from plywise.explain.qti import qti_package
from plywise.explain.quiz import Grade, Quiz, quiz_about
from plywise.explain.search_tree import Pass, SearchTree, Visit, grow
from plywise.explain.sentences import cut_reason, cut_rule, preface, sentence, summary
from plywise.explain.story import stories, story
from plywise.explain.terminal import drawing, heading, legend
from plywise.explain.wishes import Wishes, quiz_number, quiz_of, random_quiz

__all__ = [
    "Figure", "Grade", "Marks", "Pass", "Quiz", "SearchTree", "Visit", "Wishes", "cut_reason", "cut_rule", "drawing",
    "figure", "grow", "heading", "legend", "marks", "moodle_xml", "preface", "qti_package", "quiz_about", "quiz_number",
    "quiz_of", "random_quiz", "sentence", "sheet", "stories", "story", "summary",
]  # fmt: skip
