"""Tactics: noisy moves, exchanges, extensions and passes are as the search expects."""

from __future__ import annotations

import numbers

import numpy as np

from plywise.game import Move
from plywise.io.numbers import is_whole
from plywise.layers import Tactics
from plywise.study.checks.part import Answers, Part, Place
from plywise.study.checks.states import is_a_position

LONG_LINE = 10
"""In a game longer than this, it is no accident if most positions are extended."""


class Exchanges(Part):
    """Noisy moves are legal and gain something; a pass hands over the turn; extensions are rare."""

    layer = Tactics

    def begin(self, start: Place) -> None:
        swing = self.game.swing
        if not isinstance(swing, numbers.Real) or float(swing) <= 0:
            raise self.subject.wrong("swing", f"swing must be a number above 0, not {swing!r}")

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> None:
        self.subject.attempt(self.check_noisy_moves, place, moves)
        self.subject.attempt(self.check_exchanges, place, moves)
        self.subject.attempt(self.check_pass, place, answers)

    def at_end(self, place: Place, answers: Answers) -> None:
        self.subject.attempt(self.check_extensions, place)

    def check_noisy_moves(self, place: Place, moves: list[Move]) -> None:
        """Check that noisy moves are legal, and gain something unless the position is extended."""
        subject = self.subject
        noisy = subject.ask("noisy_moves", place.state, place=place)
        for move in noisy:
            if move not in moves:
                raise subject.illegal("noisy-moves", "noisy_moves", move, place)
        if self.extension(place) > 0:
            missing = [move for move in moves if move not in noisy]
            if missing:
                text = subject.move_text(place.state, missing[0])
                message = f"extension is above 0, so noisy_moves must yield every move, but it leaves out {text}"
                raise subject.wrong("noisy-moves", message, place)
            return
        for move in noisy:
            if subject.ask("gain", place.state, move, place=place) == 0:
                text = subject.move_text(place.state, move)
                raise subject.wrong("gain", f"noisy_moves yields {text}, but gain returns 0 for it", place)

    def check_exchanges(self, place: Place, moves: list[Move]) -> None:
        """Check that a move that wins at least some amount also wins at least any smaller one."""
        subject = self.subject
        for move in moves:
            gain = subject.ask("gain", place.state, move, place=place)
            if not is_whole(gain):
                raise subject.wrong("gain", f"gain must return a whole number, not {gain!r}", place)
            amounts = sorted({-abs(gain) - 1, 0, 1, abs(gain)})
            answers = [subject.ask("wins_at_least", place.state, move, amount, place=place) for amount in amounts]
            for answer in answers:
                if not isinstance(answer, (bool, np.bool_)):
                    message = f"wins_at_least must return True or False, not {answer!r}"
                    raise subject.wrong("wins-at-least", message, place)
            if answers != sorted(answers, reverse=True):
                text, more = subject.move_text(place.state, move), amounts[answers.index(True, answers.index(False))]
                message = f"{text} wins at least {more}, but not at least {amounts[answers.index(False)]}"
                raise subject.wrong("wins-at-least", message, place)

    def check_pass(self, place: Place, answers: Answers) -> None:
        """Check that a pass leads to a position in which another player moves."""
        subject = self.subject
        passed = subject.ask("pass_move", place.state, place=place)
        if not is_a_position(subject, passed, place, "pass_move") or passed == place.state:
            return
        player = subject.ask("to_move", passed, place=place, rule="pass-move")
        if player == answers.get("to_move"):
            raise subject.wrong("pass-move", "after pass_move the same player moves again", place)

    def check_extensions(self, place: Place) -> None:
        """Check that most positions of a finished game are not extended: the search might never end.

        The last position counts: the engine calls ``extension`` before it knows that the game is over.
        """
        line = place.lineage()
        extended = sum(self.extension(each) > 0 for each in line)
        if len(line) > LONG_LINE and 2 * extended > len(line):
            message = f"extension is above 0 in {extended} of the {len(line)} positions of a game"
            self.subject.found("extension", message, place)

    def extension(self, place: Place) -> int:
        """Return the extension of a position, which must be a whole number from 0 up."""
        extra = self.subject.ask("extension", place.state, place=place)
        if not isinstance(extra, (numbers.Integral, np.bool_)) or int(extra) < 0:
            message = f"extension must return a whole number from 0 up, not {extra!r}"
            raise self.subject.wrong("extension-type", message, place)
        return int(extra)
