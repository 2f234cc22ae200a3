"""Compiled against interpreted: the rules compile, and both give the same answers."""

from __future__ import annotations

import contextlib
from typing import Any

from plywise.compiling.reading import CannotCompile, interpreting
from plywise.game import Move
from plywise.study.checks.part import Answers, Part, Place, Subject, Unanswered, close, described

OF_MOVES = ("play", "probability")
"""The methods that take a move; their answers are in a dictionary, by move."""


class Compiled(Part):
    """Compiled methods give the same answers as interpreted ones.  It is the last part, so it sees all answers."""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self.probe: Any = None

    def begin(self, start: Place) -> None:
        """Compile the rules and report the methods that cannot be compiled."""
        if interpreting() or self.subject.interpreted_only:
            return
        from plywise.compiling.diagnose import bare_state
        from plywise.study.probe import Probe

        try:
            bare_state(self.game, start.state)
            self.probe = Probe(self.game)
        except CannotCompile as error:
            self.subject.found("compile", str(error))
        except Exception as error:
            self.subject.found("compile", f"Numba failed with {described(type(self.game), error)}")
        else:
            for reason in self.probe.refusals.values():  # one line can be the reason for many methods
                self.subject.found("compile", reason, subject=reason.partition(" cannot be compiled")[2])

    def anywhere(self, place: Place, answers: Answers) -> None:
        if self.probe is None:
            return
        questions = [(method, 0, answer) for method, answer in answers.items() if method not in OF_MOVES]
        questions += [(method, *each) for method in OF_MOVES for each in answers.get(method, {}).items()]
        for method, move, answer in questions:
            if self.probe.knows(method):
                with contextlib.suppress(Unanswered):
                    self.compare(place, method, move, _flat(answer))

    def compare(self, place: Place, method: str, move: Move, interpreted: list[Any]) -> None:
        subject = self.subject
        asked = f"{method}({subject.move_text(place.state, move)})" if method in OF_MOVES else method
        for value in interpreted:
            if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
                raise subject.wrong("overflow", f"{asked} gives {value}, which does not fit 64 bits", place)
        try:
            compiled = self.probe.ask(method, place.state, move)
        except CannotCompile:
            return  # the position does not fit 64 bits: reported where it was played
        except Exception as error:
            compiled = [f"{type(error).__name__}: {error}"]
        subject.comparisons += 1
        if len(interpreted) != len(compiled) or not all(map(close, interpreted, compiled)):
            gives = f"{_short(compiled)} compiled, but {_short(interpreted)} interpreted"
            subject.found("differs", f"{asked} gives {gives}", place, method)


def _flat(answer: Any) -> list[Any]:
    """Return the numbers in an answer, in the order of ``Probe.ask``."""
    return [number for item in answer for number in _flat(item)] if isinstance(answer, (tuple, list)) else [answer]


def _short(values: list[Any]) -> str:
    texts = [str(value) for value in values[:12]] + ["..."] * (len(values) > 12)
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
