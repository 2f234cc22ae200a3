"""Find mistakes in a game's definition by playing it.

The check visits the positions near the initial one breadth first, then plays random games.  The parts in
``plywise.study.checks`` test every position against the contract of ``plywise.game``.  Each kind of mistake is reported
once, with the shortest play found that shows it; ``plywise.study.findings`` lists the kinds.

>>> import plywise as pw
>>> print(check_game(pw.games.Nim, games=10))  # doctest: +ELLIPSIS
Nim(...): nothing wrong in 10 games, ... positions, ... compiled answers compared
"""

from __future__ import annotations

import collections
import contextlib
import inspect
import math
import random
import time

from plywise.game import Game, Move, State, missing
from plywise.layers import ManyPlayers, Recurrence
from plywise.layers.layer import REQUIRED
from plywise.study.checks import PARTS
from plywise.study.checks.part import Answers, Hopeless, Place, Subject, Unanswered, described, written
from plywise.study.checks.rules import positions_after
from plywise.study.checks.states import is_a_position, shape_of
from plywise.study.findings import KINDS, Finding, Report

BREADTH = 200
"""Positions to visit breadth first, so that each is reached by the shortest play."""
MOST_PLIES = 1000
"""A random game is abandoned after this many moves."""


def check_game(game: Game | type[Game], games: int = 100, seed: int = 0, seconds: float | None = 10.0) -> Report:
    """Play a game at random and report every mistake found in its definition.

    Args:
        game: a game, or a class of games whose parameters have defaults.
        games: how many random games to play.
        seed: for the random moves.
        seconds: stop after about this long, not counting compile time; None: play all games, however long that takes.
    """
    if isinstance(game, type):
        try:
            made = game()
        except Exception as error:
            return Report(game.__name__, (_not_made(game, error),))
        return check_game(made, games, seed, seconds)
    subject = Subject(game, random.Random(seed))
    walk = _Examination(subject)
    late = False
    with contextlib.suppress(Unanswered, Hopeless):
        late = walk.run(games, seconds)
    order = list(KINDS)
    findings = sorted(subject.findings.values(), key=lambda finding: order.index(finding.rule))
    return Report(
        written(game), tuple(findings), walk.games, len(walk.seen), subject.comparisons, games,
        seconds if late else None,
    )  # fmt: skip


def _not_made(cls: type[Game], error: Exception) -> Finding:
    parameters = inspect.signature(cls).parameters.items()
    needed = [name for name, parameter in parameters if parameter.default is parameter.empty]
    if needed:
        return Finding("parameter", f"{cls.__name__} needs {', '.join(needed)}: add defaults, or give a game")
    return Finding("exception", f"{cls.__name__}() raised {described(cls, error)}")


class _Examination:
    """Walks through a game and shows each position to every part of the check, once."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.parts = [part(subject) for part in PARTS if part.layer is None or isinstance(subject.game, part.layer)]
        self.games = 0
        self.seen: dict[State, list[Move]] = {}  # positions, with the moves that can be played

    def run(self, games: int, seconds: float | None) -> bool:
        """Examine the game; returns whether the time ran out before all games were played."""
        subject = self.subject
        if self.lacks_methods():
            return False
        start = Place(subject.ask("initial"))
        subject.shape = shape_of(start.state)
        if not is_a_position(subject, start.state, start, "initial"):
            with contextlib.suppress(Unanswered):
                positions_after(subject, start, subject.moves(start))
            return False
        for part in self.parts:
            subject.attempt(part.begin, start)
        allowed = math.inf if seconds is None else seconds
        begun = time.perf_counter()
        self.look_around(start, begun + allowed / 2)
        for part in self.parts:
            subject.attempt(part.settle, start)
        return not all(self.play_out(start, begun + allowed) for _ in range(games))

    def lacks_methods(self) -> bool:
        """Report missing required methods; returns whether there are any."""
        subject = self.subject
        score = "scores" if isinstance(subject.game, ManyPlayers) and not subject.game.is_zero_sum() else "score"
        required = [score if name == "score" else name for name in REQUIRED]
        lacking = [name for name in required if not subject.defines(name)]
        for name in lacking:
            parameters = ", ".join(inspect.signature(getattr(Game, name)).parameters)
            subject.found("missing-method", missing(subject.game, f"{name}({parameters})"), subject=name)
        return bool(lacking)

    def look_around(self, start: Place, deadline: float) -> None:
        """Visit positions breadth first."""
        waiting = collections.deque([start])
        while waiting and len(self.seen) < BREADTH and time.perf_counter() < deadline:
            place = waiting.popleft()
            if place.state not in self.seen:
                waiting.extend(self.after(place, move) for move in self.visit(place))

    def play_out(self, start: Place, deadline: float) -> bool:
        """Play one random game, visiting its positions; returns whether there was time for it.

        It counts only if it ends, be it by repetition.
        """
        place = start
        while time.perf_counter() < deadline:
            moves = self.visit(place)
            if not moves or place.plies == MOST_PLIES:
                if not moves or self.went_round(place):
                    self.games += 1
                else:
                    self.subject.found("endless", f"a game did not end within {MOST_PLIES} moves")
                return True
            place = self.after(place, self.subject.chance.choice(moves))
        return False

    def went_round(self, place: Place) -> bool:
        """Return whether a position has occurred twice on the way to this one, in a game that ends by repetition."""
        if not isinstance(self.subject.game, Recurrence):
            return False
        keys = [self.subject.ask("recurring", each.state, place=each) for each in place.lineage()]
        return len(set(keys)) < len(keys)

    def visit(self, place: Place) -> list[Move]:
        """Show a new position to all parts; returns the moves that can be played."""
        if place.state not in self.seen:
            self.seen[place.state] = []
            attempt = self.subject.attempt
            answers: Answers = {}
            for part in self.parts:
                answers |= attempt(part.anywhere, place, answers)
                if "is_terminal" not in answers:
                    continue
                answers |= attempt(part.at_end if answers["is_terminal"] else part.in_middle, place, answers)
                if "moves" in answers:
                    answers |= attempt(part.with_moves, place, answers["moves"], answers)
            self.seen[place.state] = list(answers.get("play", ()))
        return self.seen[place.state]

    def after(self, place: Place, move: Move) -> Place:
        return place.after(move, self.subject.ask("play", place.state, move, place=place, rule="play-rejects"))
