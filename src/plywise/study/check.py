"""Find what is wrong with a game's definition, by playing it.

Positions near the beginning are visited breadth first, then games are played at random.  Every position is held against
the contract of ``plywise.game``, and compiled answers against interpreted ones.  Each kind of mistake is reported once,
with the shortest play found that shows it; ``plywise.study.findings`` lists the kinds.

>>> import plywise as pw
>>> print(check_game(pw.games.Nim, games=10))  # doctest: +ELLIPSIS
Nim(...): nothing wrong in 10 games, ... positions, ... compiled answers compared
"""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import inspect
import itertools
import math
import numbers
import random
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from plywise.compiling.fingerprint import members, plain
from plywise.compiling.native import is_default
from plywise.compiling.reading import CannotCompile, interpreting
from plywise.errors import PositionError
from plywise.game import MAX, Game, Move, Number, State, sign
from plywise.inputs.limits import LONGEST_LINE
from plywise.layers import LAYERS
from plywise.study.findings import RULES, Finding, Report
from plywise.study.view_check import check_view

REQUIRED = ("initial", "to_move", "moves", "play", "is_terminal", "score")
HOOKS = (
    "estimates", "proven_bounds", "candidates", "noisy_moves", "extension", "pass_move", "reversible", "repetition",
    "count_moves", "image",
)  # fmt: skip
"""Optional methods that are only called, to see that they answer.  These take a position that is no end."""
MOVE_HOOKS: dict[str, tuple[Any, ...]] = {
    "order": (),
    "gain": (),
    "trait": (),
    "wins_at_least": (1,),
    "move_in_image": (),
}
"""The same for those that take a position and a move, with what else they take."""
CONTRACT: tuple[type, ...] = (Game, *LAYERS)
"""Classes whose methods are defaults."""
YIELDING = ("moves", "candidates", "noisy_moves")
BREADTH = 200  # positions visited breadth first: no shorter play shows what is wrong with them
MOST_PLIES = 1000
MOST_MOVES = 4096
JUNK = "?!"


def check_game(game: Game | type[Game], games: int = 100, seed: int = 0, seconds: float | None = 10.0) -> Report:
    """Play a game at random and report everything that is wrong with its definition.

    Args:
        game: a game, or a class of games whose parameters have defaults.
        games: how many random games to play.
        seed: of the random moves.
        seconds: stop after about so long, compiling not counted; None: play all games, however long that takes.
    """
    if isinstance(game, type):
        try:
            return check_game(game(), games, seed, seconds)
        except Exception as error:
            return Report(game.__name__, (_not_made(game, error),))
    examination = _Examination(game, random.Random(seed))
    late = False
    with contextlib.suppress(_Unanswered, _Hopeless):
        late = examination.run(games, seconds)
    order = list(RULES)
    findings = sorted(examination.findings.values(), key=lambda finding: order.index(finding.rule))
    seen, compared = len(examination.seen), examination.comparisons
    return Report(_repr(game), tuple(findings), examination.games, seen, compared, games, seconds if late else None)


def _not_made(cls: type[Game], error: Exception) -> Finding:
    parameters = inspect.signature(cls).parameters.items()
    needed = [name for name, parameter in parameters if parameter.default is parameter.empty]
    if needed:
        return Finding("parameter", f"{cls.__name__} needs {', '.join(needed)}: give defaults, or a game, not a class")
    return Finding("exception", f"{cls.__name__}() raised {_described(cls, error)}")


@dataclasses.dataclass(frozen=True, eq=False)
class _Place:
    """A position and how it was reached."""

    state: State
    move: Move = None
    above: _Place | None = None
    plies: int = 0

    def lineage(self) -> list[_Place]:
        """The places from the beginning to this one."""
        places, place = [self], self
        while place.above is not None:
            place = place.above
            places.append(place)
        return places[::-1]


class _Unanswered(Exception):
    """A mistake was written down, and what depends on the right answer cannot be checked."""


class _Hopeless(Exception):
    """A mistake was written down after which nothing can be checked."""


class _Examination:
    """One game under examination.  A check returns the answers that it got, by the names of the methods."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game = game
        self.chance = chance
        self.findings: dict[tuple[str, str], Finding] = {}
        self.games = 0
        self.comparisons = 0
        self.seen: dict[State, list[Move]] = {}  # positions, with the moves that can be played
        self.keys: dict[Any, _Place] = {}
        self.bounds: dict[State, tuple[Number, Number]] = {}
        self.players = game.players
        self.win: Number = math.inf  # the least score that is a win, where the game tells wins from other scores
        self.interpreted_only = getattr(type(game), "INTERPRETED_ONLY", False)
        self.hooks = _own_hooks(type(game))
        self.probe: Any = None

    # What happens ---------------------------------------------------------------------------------------------------

    def run(self, games: int, seconds: float | None) -> bool:
        """Examine the game; returns whether the time ran out before all games were played."""
        if self.lacks_methods():
            return False
        start = _Place(self.ask("initial"))
        self.shape = _shape(start.state)
        if not self.is_a_position(start):
            self.attempt(lambda: self.check_plays(start, self.moves(start)))
            return False
        if not interpreting() and not self.interpreted_only:
            self.compile(start)
        self.attempt(self.check_sum_bounds)
        self.attempt(self.check_win_score)
        allowed = math.inf if seconds is None else seconds
        begun = time.perf_counter()
        self.look_around(start, begun + allowed / 2)
        self.attempt(self.check_junk, start)
        while self.games < games:
            if not self.play_out(start, begun + allowed):
                return True
        return False

    def look_around(self, start: _Place, deadline: float) -> None:
        """Visit positions breadth first."""
        waiting = collections.deque([start])
        while waiting and len(self.seen) < BREADTH and time.perf_counter() < deadline:
            place = waiting.popleft()
            if place.state not in self.seen:
                waiting.extend(self.after(place, move) for move in self.visit(place))

    def play_out(self, start: _Place, deadline: float) -> bool:
        """Play one random game, visiting its positions; returns whether there was time to finish it."""
        place = start
        while time.perf_counter() < deadline:
            moves = self.visit(place)
            if not moves or place.plies == MOST_PLIES:
                if moves:
                    self.found("endless", f"a game did not end within {MOST_PLIES} moves", place)
                self.games += 1
                return True
            place = self.after(place, self.chance.choice(moves))
        return False

    def visit(self, place: _Place) -> list[Move]:
        """Examine a position, unless that was done before; returns the moves that can be played."""
        if place.state not in self.seen:
            self.seen[place.state] = []
            answers = self.attempt(self.check_terminal, place)
            if answers:
                answers |= self.attempt(self.check_mover, place)
                answers |= self.attempt(self.check_bounds, place)
                examine = self.examine_end if answers["is_terminal"] else self.examine_middle
                answers |= examine(place, answers)
                self.attempt(check_view, self, place, self.seen[place.state], answers["is_terminal"])
            self.attempt(self.check_text, place)
            self.compare(place, answers)
        return self.seen[place.state]

    def examine_end(self, place: _Place, answers: dict[str, Any]) -> dict[str, Any]:
        self.attempt(self.check_over, place)
        if "extension" in self.hooks:  # the engine calls it before it knows that the game is over
            self.attempt(self.call, "extension", place)
        return self.attempt(self.check_scores, place)

    def examine_middle(self, place: _Place, answers: dict[str, Any]) -> dict[str, Any]:
        found = self.attempt(self.check_evaluation, place, answers.get("bounds", (-math.inf, math.inf)))
        found |= self.attempt(self.check_moves, place)
        if "moves" in found:
            found |= self.attempt(self.check_key, place)
            found["play"] = self.check_plays(place, found["moves"])
            self.seen[place.state] = list(found["play"])
            self.attempt(self.check_move_texts, place, found["moves"])
            self.call_hooks(place, found["moves"])
        return found

    def after(self, place: _Place, move: Move) -> _Place:
        return _Place(self.game.play(place.state, move), move, place, place.plies + 1)

    # How questions are asked, and mistakes written down -------------------------------------------------------------

    def attempt(self, check: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        """Do a check; returns the answers that it got, none if it had to give up."""
        with contextlib.suppress(_Unanswered):
            return check(*arguments) or {}
        return {}

    def ask(self, method: str, *arguments: Any, place: _Place | None = None, rule: str = "exception") -> Any:
        """Call a method of the game's.  An exception is a mistake, and the end of the check."""
        try:
            answer = getattr(self.game, method)(*arguments)
            return list(itertools.islice(answer, MOST_MOVES)) if method in YIELDING else answer
        except Exception as error:
            self.found(rule, f"{method} raised {_described(type(self.game), error)}", place, method)
            raise _Unanswered from error

    def moves(self, place: _Place) -> list[Move]:
        """Return the moves of a position, ``MOST_MOVES`` at most."""
        return self.ask("moves", place.state, place=place)  # type: ignore[no-any-return]

    def found(self, rule: str, message: str, place: _Place | None = None, subject: str = "") -> None:
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

    def wrong(self, rule: str, message: str, place: _Place | None = None, subject: str = "") -> _Unanswered:
        """Write a mistake down that ends the check: to be raised."""
        self.found(rule, message, place, subject)
        return _Unanswered()

    def text(self, state: State) -> str:
        """Return a position's text form where that works, else what Python writes."""
        with contextlib.suppress(Exception):
            return str(self.game.format(state))
        return _repr(state)

    def move_text(self, state: State, move: Move) -> str:
        """Return a move's text form where that works, else what Python writes."""
        with contextlib.suppress(Exception):
            return str(self.game.format_move(state, move))
        return _repr(move)

    def defines(self, method: str) -> bool:
        """Return whether the game has a method of its own in place of the default."""
        return not is_default(type(self.game), method)

    # The rules ------------------------------------------------------------------------------------------------------

    def lacks_methods(self) -> bool:
        missing = [name for name in REQUIRED if not self.defines(name)]
        if self.defines("scores") and "score" in missing:
            missing.remove("score")
        for name in missing:
            parameters = ", ".join(inspect.signature(getattr(Game, name)).parameters)
            message = f"class {type(self.game).__name__} must define {name}({parameters})"
            self.found("missing-method", message, subject=name)
        return bool(missing)

    def is_a_position(self, place: _Place) -> bool:
        """Check that a position is immutable, hashable, and like the initial one."""
        if why := _changeable(place.state):
            self.found("state-immutable", f"a position must not change, but {why}", place)
            return False
        try:
            hash(place.state)
        except TypeError as error:
            self.found("state-hash", f"a position must be hashable, but: {error}", place)
            return False
        shape = self.shape if self.interpreted_only else _shape(place.state)
        if _outline(shape) != _outline(self.shape):
            message = f"initial returns a {_outline(self.shape)}, but play a {_outline(shape)}"
            self.found("state-type", message, place)
            return False
        for name, first, now in zip(_names(place.state), _kinds(self.shape), _kinds(shape), strict=False):
            if first != now:
                self.found("field-type", f"{name} is {first} in initial() but {now} here", place, name)
        return True

    def check_terminal(self, place: _Place) -> dict[str, Any]:
        over = self.ask("is_terminal", place.state, place=place)
        if not isinstance(over, (bool, int, np.bool_)):
            raise self.wrong("is-terminal", f"is_terminal must return True or False, not {over!r}", place)
        return {"is_terminal": over}

    def check_mover(self, place: _Place) -> dict[str, Any]:
        player = self.ask("to_move", place.state, place=place)
        if not isinstance(player, (int, np.integer)) or not 0 <= player < self.players:
            allowed = "0 (Max) or 1 (Min)" if self.players == 2 else f"0 to {self.players - 1}"
            raise self.wrong("to-move", f"to_move must return {allowed}, not {player!r}", place)
        self.ask("player_name", player, place=place)
        return {"to_move": player}

    def check_moves(self, place: _Place) -> dict[str, Any]:
        moves = self.moves(place)
        if not moves:
            raise self.wrong("no-moves", "the game is not over, but there is no move", place)
        if len(moves) == MOST_MOVES:
            raise self.wrong("too-many-moves", f"moves yields {MOST_MOVES} moves or more", place)
        for move in [] if self.interpreted_only else moves:
            if not isinstance(move, (int, np.integer)):
                raise self.wrong("move-type", f"a move must be an integer, not {move!r}", place)
            if not -(1 << 63) <= move < 1 << 63:
                raise self.wrong("overflow", f"move {move} does not fit a signed 64-bit integer", place, "move")
        if len(set(moves)) < len(moves):
            twice = collections.Counter(moves).most_common(1)[0][0]
            self.found("duplicate-move", f"moves yields {self.move_text(place.state, twice)} twice", place)
        if moves != self.moves(place):
            self.found("not-deterministic", "moves answers differently when asked again", place)
            raise _Hopeless
        return {"moves": moves}

    def check_plays(self, place: _Place, moves: Iterable[Move]) -> dict[Move, State]:
        """Return the positions after those moves that can be played."""
        after, before = {}, _copy(place.state)
        for move in moves:
            with contextlib.suppress(_Unanswered):
                state = self.ask("play", place.state, move, place=place, rule="play-rejects")
                if before is not None and place.state != before:
                    unchanged = dataclasses.replace(place, state=before)
                    text = self.move_text(before, move)
                    self.found("play-changes-state", f"play({text}) changes the position that it is given", unchanged)
                    raise _Hopeless
                if self.is_a_position(_Place(state, move, place, place.plies + 1)):
                    if state != self.ask("play", place.state, move, place=place, rule="play-rejects"):
                        self.found("not-deterministic", "play answers differently when asked again", place)
                        raise _Hopeless
                    after[move] = state
        return after

    def call_hooks(self, place: _Place, moves: Iterable[Move]) -> None:
        """Check that the optional methods of the game's own answer: a search may call any of them here."""
        for hook in filter(self.hooks.__contains__, HOOKS):
            self.attempt(self.call, hook, place)
        for hook in filter(self.hooks.__contains__, MOVE_HOOKS):
            for move in moves:
                self.attempt(self.call, hook, place, move, *MOVE_HOOKS[hook])

    def call(self, hook: str, place: _Place | None = None, *arguments: Any) -> None:
        """Call a method, whatever it answers."""
        self.ask(hook, *([] if place is None else [place.state]), *arguments, place=place)

    def check_over(self, place: _Place) -> None:
        if moves := self.moves(place):
            text = self.move_text(place.state, moves[0])
            self.found("moves-after-end", f"the game is over, but moves yields {text}", place)

    # Scores ---------------------------------------------------------------------------------------------------------

    def check_scores(self, place: _Place) -> dict[str, Any]:
        score = self.ask("score", place.state, place=place)
        self.check_number("score", "score", score, place)
        self.check_again("score", score, place)
        if abs(score) < self.win:
            self.check_distance("score", score, place)
        for above in place.lineage():
            low, high = self.bounds.get(above.state, (-math.inf, math.inf))
            if not low <= score <= high:
                whose = "" if above is place else f" of position {self.text(above.state)}, which leads here"
                self.found("bounds", f"the score {score} is outside the bounds {low} to {high}{whose}", place, "score")
                break
        if not self.defines("scores"):
            return {"score": score}
        scores = self.ask("scores", place.state, place=place)
        if not isinstance(scores, (Sequence, np.ndarray)) or len(scores) != self.players:
            raise self.wrong("score", f"scores must return {self.players} numbers, not {scores!r}", place, "scores")
        for each in scores:
            self.check_number("score", "scores", each, place)
        self.check_sums(place, score, tuple(scores))
        return {"score": score, "scores": scores}

    def check_sums(self, place: _Place, score: Number, scores: tuple[Number, ...]) -> None:
        if self.defines("score") and not _close(scores[0], score):
            self.found("zero-sum", f"score is {score}, but scores begins with {scores[0]}", place)
        if self.defines("score") and len(scores) == 2 and not _close(sum(scores), 0):
            self.found("zero-sum", f"score is defined, but scores {scores} do not add up to zero", place)
        least, most = self.game.sum_bounds
        if min(scores) < least or sum(scores) > most:
            limits = f"each at least {least}, together at most {most}"
            self.found("sum-bounds", f"scores {scores} do not keep to sum_bounds: {limits}", place)

    def check_number(self, rule: str, method: str, value: Any, place: _Place) -> None:
        if not isinstance(value, (numbers.Real, np.bool_)) or not math.isfinite(value):
            raise self.wrong(rule, f"{method} must return a finite number, not {value!r}", place, method)
        if isinstance(value, int) and abs(value) >= 1 << 62:
            raise self.wrong(rule, f"{method} returns {value}, but must stay within 2**62 of zero", place, method)

    def check_again(self, method: str, value: Number, place: _Place) -> None:
        if value != self.ask(method, place.state, place=place):
            self.found("not-deterministic", f"{method} answers differently when asked again", place)
            raise _Hopeless

    def check_evaluation(self, place: _Place, bounds: tuple[Number, Number]) -> dict[str, Any]:
        if not self.defines("evaluate"):
            return {}
        value = self.ask("evaluate", place.state, place=place)
        self.check_number("evaluate", "evaluate", value, place)
        self.check_again("evaluate", value, place)
        if not bounds[0] <= value <= bounds[1] and value != 0:  # 0 is the default, which says nothing
            message = f"evaluate returns {value}, outside the bounds {bounds[0]} to {bounds[1]}"
            self.found("evaluate", message, place)
        self.check_distance("evaluate", value, place)
        return {"evaluate": value}

    def check_win_score(self) -> None:
        win = self.game.win_score
        if not isinstance(win, numbers.Real) or not float(win) > LONGEST_LINE:  # or 0 would be a distant win
            raise self.wrong("win-score", f"win_score must be a number above {LONGEST_LINE}, not {win!r}")
        self.win = float(win)

    def check_distance(self, method: str, value: Number, place: _Place) -> None:
        """Check that a value is none that a win so many plies away would have."""
        if abs(value) >= self.win - LONGEST_LINE:
            limit = f"{self.win:g} is a win: nothing else may be within {LONGEST_LINE} of it"
            self.found("win-score", f"{method} returns {value}, but {limit}", place, method)

    def check_bounds(self, place: _Place) -> dict[str, Any]:
        bounds = self.ask("bounds", place.state, place=place)
        if not _is_interval(bounds):
            message = f"bounds must return two numbers, the first not above the second, not {bounds!r}"
            raise self.wrong("bounds", message, place)
        self.bounds[place.state] = bounds
        return {"bounds": bounds}

    def check_sum_bounds(self) -> None:
        if not _is_interval(bounds := self.game.sum_bounds):
            message = f"sum_bounds must be two numbers, the first not above the second, not {bounds!r}"
            raise self.wrong("sum-bounds", message)

    def check_key(self, place: _Place) -> dict[str, Any]:
        key = self.ask("key", place.state, place=place)
        try:
            other = self.keys.setdefault(key, place)
        except TypeError:
            raise self.wrong("key", f"a key must be hashable, not {_repr(key)}", place) from None
        if other.state != place.state:
            with contextlib.suppress(Exception):  # there are checks for what may be raised
                self.compare_values(place, other, key)
        return {"key": key}

    def compare_values(self, place: _Place, other: _Place, key: Any) -> None:
        """Check that two positions with one key have one value for the player to move, as far as a short look tells."""
        shared = f"this position and {self.text(other.state)} have the same key {_repr(key)}"
        if self.defines("evaluate") and self.players == 2:
            estimates = [sign(self.game.to_move(s)) * self.game.evaluate(s) for s in (place.state, other.state)]
            if not _close(*estimates):
                values = f"{estimates[0]} and {estimates[1]}"
                self.found("key", f"{shared}, but evaluate gives {values} for the player to move", place, "evaluate")
        for depth in range(1, 7 if self.players == 2 else 1):
            one, two = (_Outlook(self.game).value(each.state, depth) for each in (place, other))
            if one[1] < two[0] or two[1] < one[0]:
                self.found("key", f"{shared}, but not the same value for the player to move", place)
                return
        here, there = (len(self.moves(each)) for each in (place, other))
        if here != there:
            self.found("key-moves", f"{shared}, but {here} and {there} moves", place)

    # Texts ----------------------------------------------------------------------------------------------------------

    def check_text(self, place: _Place) -> None:
        if self.defines("board"):
            self.ask("board", place.state, place=place)
        if not isinstance(place.state, tuple) and not self.defines("parse"):
            raise self.wrong("no-text", "these positions have no text form: define parse and format", place)
        text = self.ask("format", place.state, place=place)
        if not isinstance(text, str):
            raise self.wrong("text", f"format must return a text, not {text!r}", place)
        try:
            again = self.game.parse(text)
        except Exception as error:
            message = f"format writes {text!r}, but parse raised {_described(type(self.game), error)}"
            raise self.wrong("text", message, place) from error
        if again != place.state:
            message = f"format writes {_repr(place.state)} as {text!r}, but parse reads that as {_repr(again)}"
            self.found("text", message, place)

    def check_move_texts(self, place: _Place, moves: Iterable[Move]) -> None:
        texts: dict[str, Move] = {}
        for move in dict.fromkeys(moves):
            text = self.ask("format_move", place.state, move, place=place)
            if not isinstance(text, str) or text.split() != [text]:
                message = f"the text of a move must be a word without spaces, not {text!r}"
                raise self.wrong("move-text", message, place, "word")
            if text in texts:
                message = f"the moves {texts[text]!r} and {move!r} have the same text {text!r}"
                raise self.wrong("move-text", message, place, "same")
            texts[text] = move
        for text in self.chance.sample(list(texts), min(len(texts), 20)):
            try:
                again = _repr(self.game.parse_move(place.state, text))
            except Exception as error:
                again = _described(type(self.game), error)
            if again != _repr(texts[text]):
                message = f"format_move writes {text!r} for {_repr(texts[text])}, but parse_move gives {again}"
                raise self.wrong("move-text", message, place, "parse")

    def check_junk(self, start: _Place) -> None:
        """Check that what is no position and no move is refused in words."""
        if len(self.moves(start)) == MOST_MOVES:
            return  # listing them would take forever
        for method, arguments in (("parse", (JUNK,)), ("parse_move", (start.state, JUNK))):
            try:
                getattr(self.game, method)(*arguments)
            except PositionError:
                continue
            except Exception as error:
                told = _described(type(self.game), error)
                self.found("text-error", f"{method}({JUNK!r}) must raise PositionError, not {told}", subject=method)

    # Compiled against interpreted -----------------------------------------------------------------------------------

    def compile(self, start: _Place) -> None:
        """Compile the rules, and say which of them cannot be."""
        from plywise.compiling.diagnose import bare_state
        from plywise.study.probe import Probe

        try:
            bare_state(self.game, start.state)
            self.probe = Probe(self.game)
        except CannotCompile as error:
            self.found("compile", str(error))
        except Exception as error:
            self.found("compile", f"Numba failed with {_described(type(self.game), error)}")
        else:
            for reason in self.probe.refusals.values():  # one line can be the reason for many methods
                self.found("compile", reason, subject=reason.partition(" cannot be compiled")[2])

    def compare(self, place: _Place, answers: dict[str, Any]) -> None:
        """Check that compiled methods answer as the interpreted ones did."""
        if self.probe is None:
            return
        plays = answers.pop("play", {})
        questions = [(method, 0, answer) for method, answer in answers.items()]
        questions += [("play", move, state) for move, state in plays.items()]
        for method, move, answer in questions:
            if self.probe.knows(method):
                with contextlib.suppress(_Unanswered):
                    self.compare_one(place, method, move, _flat(answer))

    def compare_one(self, place: _Place, method: str, move: Move, interpreted: list[Any]) -> None:
        asked = f"play({self.move_text(place.state, move)})" if method == "play" else method
        for value in interpreted:
            if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
                raise self.wrong("overflow", f"{asked} gives {value}, which does not fit 64 bits", place)
        try:
            compiled = self.probe.ask(method, place.state, move)
        except CannotCompile:
            return  # there is a check for what does not fit; it was written down where the position came from
        except Exception as error:
            compiled = [f"{type(error).__name__}: {error}"]
        self.comparisons += 1
        if len(interpreted) != len(compiled) or not all(map(_close, interpreted, compiled)):
            gives = f"{_short(compiled)} compiled, but {_short(interpreted)} interpreted"
            self.found("differs", f"{asked} gives {gives}", place, method)


class _Outlook:
    """What a short look ahead tells of a position's value: that it lies between two numbers."""

    def __init__(self, game: Game, positions: int = 1000) -> None:
        self.game = game
        self.left = positions

    def value(self, state: State, depth: int) -> tuple[Number, Number]:
        """Return the two numbers for the player to move."""
        low, high = self.for_max(state, depth)
        return (low, high) if sign(self.game.to_move(state)) > 0 else (-high, -low)

    def for_max(self, state: State, depth: int) -> tuple[Number, Number]:
        self.left -= 1
        if self.game.is_terminal(state):
            return (self.game.score(state), self.game.score(state))
        if depth == 0 or self.left < 0:
            return (-math.inf, math.inf)
        best = max if self.game.to_move(state) == MAX else min
        moves = itertools.islice(self.game.moves(state), MOST_MOVES)
        children = [self.for_max(self.game.play(state, move), depth - 1) for move in moves]
        return (best(low for low, _ in children), best(high for _, high in children))


# Values ---------------------------------------------------------------------------------------------------------------


def _changeable(value: Any, name: str = "it") -> str:
    """Return what about a position can change, in words; nothing if nothing can."""
    if isinstance(value, tuple):
        return next(filter(None, map(_changeable, value, _names(value))), "")
    kind = type(value).__name__
    if isinstance(value, (list, dict, set, bytearray, np.ndarray)):
        return f"{name} is a {kind}: use a tuple, or pw.Cells"
    parameters = getattr(value, "__dataclass_params__", None)
    if parameters is not None and not parameters.frozen:
        return f"{name} is a {kind}, a dataclass that is not frozen"
    if type(value).__eq__ is object.__eq__ and value is not None:  # type: ignore[comparison-overlap]
        return f"{name} is a {kind}, which is equal to nothing but itself: define __eq__ and __hash__"
    return ""


def _copy(state: State) -> State:
    """Return a copy of a position that stays when the position changes; None if there is none that is equal to it."""
    with contextlib.suppress(Exception):
        again = copy.deepcopy(state)
        return again if again == state else None
    return None


def _names(state: State) -> list[str]:
    """Return what the parts of a position are called."""
    if not isinstance(state, tuple):
        return ["the position"]
    return [f"field {name}" for name in getattr(state, "_fields", range(len(state)))]


def _shape(state: State) -> Any:
    """Return the type of a position, with the types of its fields."""
    if isinstance(state, tuple):
        return (type(state).__name__, *map(_shape, state))
    return type(state.item() if isinstance(state, np.generic) else state).__name__


def _kinds(shape: Any) -> list[Any]:
    return list(shape[1:]) if isinstance(shape, tuple) else [shape]


def _outline(shape: Any) -> str:
    """Return a shape in words, whatever kinds of numbers are in it."""
    if not isinstance(shape, tuple):
        return "number" if shape in ("int", "float", "bool") else str(shape)
    return f"{shape[0]} of {len(shape) - 1}" + "".join(f", {_outline(s)}" for s in shape[1:] if isinstance(s, tuple))


def _is_interval(pair: Any) -> bool:
    """True for two numbers, the first not above the second."""
    return (
        isinstance(pair, Sequence)
        and len(pair) == 2
        and all(isinstance(number, numbers.Real) for number in pair)
        and pair[0] <= pair[1]
    )


def _flat(answer: Any) -> list[Any]:
    """Return the numbers in an answer, in the order of ``Probe.ask``."""
    return [number for item in answer for number in _flat(item)] if isinstance(answer, (tuple, list)) else [answer]


def _close(one: Any, other: Any) -> bool:
    """Return whether two numbers are the same, but for the last digits of a float."""
    if isinstance(one, str) or isinstance(other, str) or not (isinstance(one, float) or isinstance(other, float)):
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def _short(values: list[Any]) -> str:
    texts = [str(value) for value in values[:12]] + ["..."] * (len(values) > 12)
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _own_hooks(cls: type[Game]) -> set[str]:
    """Return the names of the methods that the author of a game wrote: ``Game`` fills some in for a subclass."""
    known, modules = members(cls), {part.__module__ for part in CONTRACT}
    written = {name for name in Game.ENTRY_POINTS or () if plain(known[name]).__module__ not in modules}
    return written - ({"candidates"} if known["candidates"] is known["moves"] else set())


def _repr(thing: Any) -> str:
    text = repr(thing)
    return text if len(text) <= 200 else f"{text[:197]}..."


def _described(cls: type[Game], error: Exception) -> str:
    """Return an exception in a line, with the place in the file of the class where it came from."""
    written = (inspect.unwrap(plain(member)) for base in cls.__mro__ for member in vars(base).values())
    code = (getattr(member, "__code__", None) for member in written)
    ours = {inspect.getfile(part) for part in CONTRACT}
    files = {each.co_filename for each in code if each is not None} - ours
    frames = traceback.extract_tb(error.__traceback__)
    places = [each for each in frames if each.filename in files and each.name != "__setattr__"]  # a dataclass's own
    where = f" (line {places[-1].lineno} of {places[-1].filename})" if places else ""
    return f"{type(error).__name__}{f': {error}' if str(error) else ''}{where}"
