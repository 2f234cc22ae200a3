"""The building blocks of a check: the game under test, a place in it, and a part of the check."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import itertools
import math
import numbers
import random
import traceback
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from plywise.compiling.fingerprint import plain
from plywise.compiling.native import is_default
from plywise.game import Game, Move, Number, State
from plywise.inputs.limits import MOST_MOVES
from plywise.layers import LAYERS, Layer
from plywise.study.findings import Finding

CONTRACT: tuple[type, ...] = (Game, *LAYERS)
"""The classes that define default methods."""

YIELDING = ("moves", "candidates", "noisy_moves", "marked", "features")
"""Methods whose answer is collected in a list of at most ``MOST_MOVES`` items."""

Answers = dict[str, Any]
"""The game's answers about a position, by method name."""


@dataclasses.dataclass(frozen=True, eq=False)
class Place:
    """A position and how it was reached."""

    state: State
    move: Move = None
    above: Place | None = None
    plies: int = 0

    def after(self, move: Move, state: State) -> Place:
        """Return the place to which a move leads."""
        return Place(state, move, self, self.plies + 1)

    def lineage(self) -> list[Place]:
        """The places from the initial one to this one."""
        places, place = [self], self
        while place.above is not None:
            place = place.above
            places.append(place)
        return places[::-1]


class Unanswered(Exception):
    """A mistake was reported; checks that depend on the answer are skipped."""


class Hopeless(Exception):
    """A mistake was reported that makes all further checks pointless."""


class Subject:
    """The game under test: calls its methods and collects the mistakes found."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game = game
        self.chance = chance
        self.findings: dict[tuple[str, str], Finding] = {}
        self.comparisons = 0
        """Compiled answers compared with interpreted ones."""
        self.players = 2 if game.is_zero_sum() else game.players
        self.shape: Any = None
        """The type of the initial position, with the types of its fields."""
        self.interpreted_only = getattr(type(game), "INTERPRETED_ONLY", False)

    def ask(self, method: str, *arguments: Any, place: Place | None = None, rule: str = "exception") -> Any:
        """Call a method of the game.  If it raises, report that as a mistake and raise ``Unanswered``."""
        try:
            return self.call(method, *arguments)
        except Exception as error:
            self.found(rule, f"{method} raised {described(type(self.game), error)}", place, method)
            raise Unanswered from error

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a method of the game, and collect what it yields; lets its exceptions through."""
        answer = getattr(self.game, method)(*arguments)
        return list(itertools.islice(answer, MOST_MOVES)) if method in YIELDING else answer

    def ask_again(self, method: str, value: Number, place: Place) -> None:
        """Check that a method gives the same answer when called again."""
        if value != self.ask(method, place.state, place=place):
            self.differs(method, place)

    def differs(self, method: str, place: Place) -> None:
        """Report that a method gives different answers.  Nothing else can be checked then."""
        self.found("not-deterministic", f"{method} gives a different answer when called again", place)
        raise Hopeless

    def moves(self, place: Place) -> list[Move]:
        """Return the moves of a position, at most ``MOST_MOVES``."""
        return self.ask("moves", place.state, place=place)  # type: ignore[no-any-return]

    def attempt(self, check: Callable[..., Answers | None], *arguments: Any) -> Answers:
        """Run a check; returns the answers it collected, none if it had to give up.

        A check calls the game with ``ask`` and tests the answers.  If an answer breaks the check all the same, that is
        reported too, once per part.
        """
        try:
            return check(*arguments) or {}
        except Unanswered:
            return {}
        except Hopeless:
            raise
        except Exception as error:
            place = next((each for each in arguments if isinstance(each, Place)), None)
            name = check.__qualname__
            message = f"the check {name} failed with {described(type(self.game), error)}"
            self.found("exception", message, place, name.partition(".")[0])
            return {}

    def found(self, rule: str, message: str, place: Place | None = None, subject: str = "") -> None:
        """Report a mistake, if it is the first of its kind or a shorter play shows it."""
        known = self.findings.get((rule, subject))
        if known is not None and (place is None or len(known.path) <= place.plies):
            return
        finding = Finding(rule, message)
        if place is not None:
            steps = itertools.pairwise(place.lineage())
            path = tuple(self.move_text(before.state, after.move) for before, after in steps)
            finding = Finding(rule, message, self.text(place.state), path)
        self.findings[rule, subject] = finding

    def wrong(self, rule: str, message: str, place: Place | None = None, subject: str = "") -> Unanswered:
        """Report a mistake that ends the check; returns the exception to raise."""
        self.found(rule, message, place, subject)
        return Unanswered()

    def illegal(self, rule: str, method: str, move: Move, place: Place) -> Unanswered:
        """Report that a method yields an illegal move; returns the exception to raise."""
        text = self.move_text(place.state, move)
        return self.wrong(rule, f"{method} yields {text}, which is not a legal move", place)

    def text(self, state: State) -> str:
        """Return a position's text form, or its ``repr`` if ``format`` fails."""
        with contextlib.suppress(Exception):
            return str(self.game.format(state))
        return written(state)

    def move_text(self, state: State, move: Move) -> str:
        """Return a move's text form, or its ``repr`` if ``format_move`` fails."""
        with contextlib.suppress(Exception):
            return str(self.game.format_move(state, move))
        return written(move)

    def defines(self, method: str) -> bool:
        """Return whether the game overrides the default of a method."""
        return not is_default(type(self.game), method)


class Part:
    """One part of the check of one game.

    A subclass overrides the methods it needs.  They report mistakes with ``self.subject.found``, or with ``raise
    self.subject.wrong`` to stop there, and return the answers that later parts may use.  A part sees every position of
    the walk once.
    """

    layer: ClassVar[type[Layer] | None] = None
    """The layer that this part checks: it sees only games with that layer.  None: it sees every game."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.game: Any = subject.game

    def begin(self, start: Place) -> None:
        """Check what needs no walk.  The clock is not running yet, so this may compile."""

    def settle(self, start: Place) -> None:
        """Check what can wait until the positions near the initial one have been visited."""

    def anywhere(self, place: Place, answers: Answers) -> Answers | None:
        """Look at a position, whether or not the game is over there."""

    def at_end(self, place: Place, answers: Answers) -> Answers | None:
        """Look at a position in which the game is over."""

    def in_middle(self, place: Place, answers: Answers) -> Answers | None:
        """Look at a position in which the game is not over."""

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> Answers | None:
        """Look at a position in which the game is not over, and at its moves, which have passed ``Moves``."""


def written(thing: Any) -> str:
    """Return the ``repr`` of an object, cut to a readable length."""
    text = repr(thing)
    return text if len(text) <= 200 else f"{text[:197]}..."


def described(cls: type[Game], error: Exception) -> str:
    """Return an exception as one line, with the line of the game's source that raised it."""
    members = (inspect.unwrap(plain(member)) for base in cls.__mro__ for member in vars(base).values())
    code = (getattr(member, "__code__", None) for member in members)
    ours = {inspect.getfile(part) for part in CONTRACT}
    files = {each.co_filename for each in code if each is not None} - ours
    frames = traceback.extract_tb(error.__traceback__)
    places = [each for each in frames if each.filename in files and each.name != "__setattr__"]  # a dataclass's own
    where = f" (line {places[-1].lineno} of {places[-1].filename})" if places else ""
    return f"{type(error).__name__}{f': {error}' if str(error) else ''}{where}"


def is_interval(pair: Any) -> bool:
    """Return whether these are two numbers, the first not above the second."""
    return (
        isinstance(pair, Sequence)
        and len(pair) == 2
        and all(isinstance(number, numbers.Real) for number in pair)
        and pair[0] <= pair[1]
    )


def close(one: Any, other: Any) -> bool:
    """Return whether two numbers are equal, up to rounding of floats."""
    if isinstance(one, str) or isinstance(other, str) or not (isinstance(one, float) or isinstance(other, float)):
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
