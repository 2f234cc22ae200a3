"""Numbers: scores, evaluations, and the bounds promised for them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from plywise.game import Number, State
from plywise.inputs.limits import LONGEST_LINE
from plywise.layers import ManyPlayers
from plywise.study.checks.part import Answers, Part, Place, Subject, close, is_interval, written


class Values(Part):
    """Scores and evaluations are finite numbers, and they keep to the bounds."""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self.bounds: dict[State, tuple[Number, Number]] = {}
        self.win: Number = math.inf  # win_score, once it has been checked
        self.sums: tuple[Number, Number] = (-math.inf, math.inf)  # sum_bounds, once they have been checked

    def begin(self, start: Place) -> None:
        self.subject.attempt(self.check_sum_bounds)
        self.subject.attempt(self.check_win_score)

    def at_end(self, place: Place, answers: Answers) -> Answers:
        return self.subject.attempt(self.check_bounds, place) | self.subject.attempt(self.check_scores, place)

    def in_middle(self, place: Place, answers: Answers) -> Answers:
        found = self.subject.attempt(self.check_bounds, place)
        bounds = found.get("bounds", (-math.inf, math.inf))
        found |= self.subject.attempt(self.check_evaluation, place, bounds)
        return found | self.subject.attempt(self.check_estimates, place)

    def check_scores(self, place: Place) -> Answers:
        subject = self.subject
        score = subject.ask("score", place.state, place=place)
        self.check_number("score", "score", score, place)
        subject.ask_again("score", score, place)
        if abs(score) < self.win:
            self.check_distance("score", score, place)
        for above in place.lineage():
            low, high = self.bounds.get(above.state, (-math.inf, math.inf))
            if not low <= score <= high:
                whose = "" if above is place else f" of position {subject.text(above.state)}, which leads here"
                message = f"the score {score} is outside the bounds {low} to {high}{whose}"
                subject.found("bounds", message, place, "score")
                break
        if not subject.defines("scores"):
            return {"score": score}
        scores = self.checked_numbers("score", "scores", place)
        self.check_zero_sum(place, score, scores)
        return {"score": score, "scores": scores}

    def check_estimates(self, place: Place) -> Answers:
        if not isinstance(self.game, ManyPlayers):
            return {}
        return {"estimates": self.checked_numbers("estimates", "estimates", place)}

    def checked_numbers(self, rule: str, method: str, place: Place) -> tuple[Number, ...]:
        """Return the numbers of all players, which must be finite and keep to ``sum_bounds``."""
        subject = self.subject
        values = subject.ask(method, place.state, place=place)
        if not isinstance(values, (Sequence, np.ndarray)) or len(values) != subject.players:
            raise subject.wrong(rule, f"{method} must return {subject.players} numbers, not {values!r}", place, method)
        for each in values:
            self.check_number(rule, method, each, place)
        least, most = self.sums
        if min(values) < least or sum(values) > most:
            limits = f"each at least {least}, together at most {most}"
            subject.found("sum-bounds", f"{method} {tuple(values)} do not keep to sum_bounds: {limits}", place, method)
        return tuple(values)

    def check_zero_sum(self, place: Place, score: Number, scores: tuple[Number, ...]) -> None:
        subject = self.subject
        if subject.defines("score") and not close(scores[0], score):
            subject.found("zero-sum", f"score is {score}, but scores begins with {scores[0]}", place)
        if subject.defines("score") and len(scores) == 2 and not close(sum(scores), 0):
            subject.found("zero-sum", f"score is defined, but scores {scores} do not add up to zero", place)

    def check_number(self, rule: str, method: str, value: Any, place: Place) -> None:
        if isinstance(value, int) and abs(value) >= 1 << 62:
            message = f"{method} returns {written(value)}, but must stay within 2**62 of zero"
            raise self.subject.wrong(rule, message, place, method)
        if not isinstance(value, (numbers.Real, np.bool_)) or not math.isfinite(value):
            raise self.subject.wrong(rule, f"{method} must return a finite number, not {value!r}", place, method)

    def check_evaluation(self, place: Place, bounds: tuple[Number, Number]) -> Answers:
        if not self.subject.defines("evaluate"):
            return {}
        value = self.subject.ask("evaluate", place.state, place=place)
        self.check_number("evaluate", "evaluate", value, place)
        self.subject.ask_again("evaluate", value, place)
        if not bounds[0] <= value <= bounds[1] and value != 0:  # 0, the default, means "unknown"
            message = f"evaluate returns {value}, outside the bounds {bounds[0]} to {bounds[1]}"
            self.subject.found("evaluate", message, place)
        self.check_distance("evaluate", value, place)
        return {"evaluate": value}

    def check_win_score(self) -> None:
        win = self.game.win_score
        if not isinstance(win, numbers.Real) or not float(win) > LONGEST_LINE:  # else 0 would be a distant win
            message = f"win_score must be a number above {LONGEST_LINE}, not {win!r}"
            raise self.subject.wrong("win-score", message)
        self.win = float(win)

    def check_distance(self, method: str, value: Number, place: Place) -> None:
        """Check that a value cannot be mistaken for a distant win."""
        if abs(value) >= self.win - LONGEST_LINE:
            limit = f"{self.win:g} is a win: nothing else may be within {LONGEST_LINE} of it"
            self.subject.found("win-score", f"{method} returns {value}, but {limit}", place, method)

    def check_bounds(self, place: Place) -> Answers:
        bounds = self.subject.ask("bounds", place.state, place=place)
        if not is_interval(bounds):
            message = f"bounds must return two numbers, the first not above the second, not {bounds!r}"
            raise self.subject.wrong("bounds", message, place)
        self.bounds[place.state] = bounds
        return {"bounds": bounds}

    def check_sum_bounds(self) -> None:
        bounds = self.game.sum_bounds
        if isinstance(bounds, np.ndarray):
            bounds = tuple(bounds)
        if not is_interval(bounds):
            message = f"sum_bounds must be two numbers, the first not above the second, not {bounds!r}"
            raise self.subject.wrong("sum-bounds", message)
        self.sums = bounds
