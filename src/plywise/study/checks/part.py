"""What a check is made of: the game under examination, a place in it, and a part of the examination."""

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
"""Classes whose methods are defaults."""

YIELDING = ("moves", "candidates", "noisy_moves")
"""Methods whose answer is listed, ``MOST_MOVES`` moves at most."""

Answers = dict[str, Any]
"""What the game says of a position, by the names of its methods."""


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
        """The places from the beginning to this one."""
        places, place = [self], self
        while place.above is not None:
            place = place.above
            places.append(place)
        return places[::-1]


class Unanswered(Exception):
    """A mistake was written down, and what depends on the right answer cannot be checked."""


class Hopeless(Exception):
    """A mistake was written down after which nothing can be checked."""


class Subject:
    """The game under examination: how it is asked, what is known of it, and which mistakes were found."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game = game
        self.chance = chance
        self.findings: dict[tuple[str, str], Finding] = {}
        self.comparisons = 0
        """Compiled answers compared with interpreted ones."""
        self.players = game.players
        self.shape: Any = None
        """The type of the initial position, with the types of its fields."""
        self.interpreted_only = getattr(type(game), "INTERPRETED_ONLY", False)

    def ask(self, method: str, *arguments: Any, place: Place | None = None, rule: str = "exception") -> Any:
        """Call a method of the game's.  An exception is a mistake, and the end of the check."""
        try:
            answer = getattr(self.game, method)(*arguments)
            return list(itertools.islice(answer, MOST_MOVES)) if method in YIELDING else answer
        except Exception as error:
            self.found(rule, f"{method} raised {described(type(self.game), error)}", place, method)
            raise Unanswered from error

    def ask_again(self, method: str, value: Number, place: Place) -> None:
        """Check that a method gives the same answer again."""
        if value != self.ask(method, place.state, place=place):
            self.differs(method, place)

    def differs(self, method: str, place: Place) -> None:
        """Write down that a method answers differently when asked again.  Nothing else can be checked then."""
        self.found("not-deterministic", f"{method} answers differently when asked again", place)
        raise Hopeless

    def moves(self, place: Place) -> list[Move]:
        """Return the moves of a position, ``MOST_MOVES`` at most."""
        return self.ask("moves", place.state, place=place)  # type: ignore[no-any-return]

    def attempt(self, check: Callable[..., Answers | None], *arguments: Any) -> Answers:
        """Do a check; returns the answers that it got, none if it had to give up."""
        with contextlib.suppress(Unanswered):
            return check(*arguments) or {}
        return {}

    def found(self, rule: str, message: str, place: Place | None = None, subject: str = "") -> None:
        """Write a mistake down, if it is the first of its kind or is shown by a shorter play."""
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
        """Write a mistake down that ends the check: to be raised."""
        self.found(rule, message, place, subject)
        return Unanswered()

    def illegal(self, rule: str, method: str, move: Move, place: Place) -> Unanswered:
        """Write down that a method yields a move that is not legal: to be raised."""
        text = self.move_text(place.state, move)
        return self.wrong(rule, f"{method} yields {text}, which is not a legal move", place)

    def text(self, state: State) -> str:
        """Return a position's text form where that works, else what Python writes."""
        with contextlib.suppress(Exception):
            return str(self.game.format(state))
        return written(state)

    def move_text(self, state: State, move: Move) -> str:
        """Return a move's text form where that works, else what Python writes."""
        with contextlib.suppress(Exception):
            return str(self.game.format_move(state, move))
        return written(move)

    def defines(self, method: str) -> bool:
        """Return whether the game has a method of its own in place of the default."""
        return not is_default(type(self.game), method)


class Part:
    """One part of the examination of one game.

    Each method may be overridden.  It writes down what is wrong with ``self.subject.found``, or ends with ``raise
    self.subject.wrong``, and returns the answers that later parts may use.  It sees every position of the walk once.
    """

    layer: ClassVar[type[Layer] | None] = None
    """The layer that this part checks; other games are not shown to it.  None: every game is."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.game: Any = subject.game

    def begin(self, start: Place) -> None:
        """Check what needs no walk.  No clock runs yet, so this may compile."""

    def settle(self, start: Place) -> None:
        """Check what can wait until the positions near the beginning have been visited."""

    def anywhere(self, place: Place, answers: Answers) -> Answers | None:
        """Look at a position, whether or not the game is over there."""

    def at_end(self, place: Place, answers: Answers) -> Answers | None:
        """Look at a position in which the game is over."""

    def in_middle(self, place: Place, answers: Answers) -> Answers | None:
        """Look at a position in which the game goes on."""

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> Answers | None:
        """Look at a position in which the game goes on, and at its moves: nothing is wrong with their list."""


def written(thing: Any) -> str:
    """Return what Python writes for a thing, cut to a readable length."""
    text = repr(thing)
    return text if len(text) <= 200 else f"{text[:197]}..."


def described(cls: type[Game], error: Exception) -> str:
    """Return an exception in a line, with the place in the file of the class where it came from."""
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
    """Return whether two numbers are the same, but for the last digits of a float."""
    if isinstance(one, str) or isinstance(other, str) or not (isinstance(one, float) or isinstance(other, float)):
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
