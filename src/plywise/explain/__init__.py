"""Explanations: views of the list of events that a recorded search leaves behind.

``grow`` turns events into the tree that was searched, ``sentence`` says one event in words, ``drawing`` puts the tree
on the terminal, ``figure`` draws it for other formats.  None of them runs an algorithm of its own.
"""

from __future__ import annotations

from plywise.explain.figure import Figure, figure
from plywise.explain.sentences import cut_reason, cut_rule, preface, sentence, summary
from plywise.explain.story import story
from plywise.explain.terminal import drawing, heading, legend
from plywise.explain.tree import Pass, SearchTree, Visit, grow

__all__ = [
    "Figure", "Pass", "SearchTree", "Visit", "cut_reason", "cut_rule", "drawing", "figure", "grow", "heading",
    "legend", "preface", "sentence", "story", "summary",
]  # fmt: skip
