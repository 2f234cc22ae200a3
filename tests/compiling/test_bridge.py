"""Any conforming game compiles, wherever it is defined, and gives the same answers as interpreted."""

from __future__ import annotations

import copy
import dataclasses
import enum
import functools
import io
import pickle
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

import plywise as pw
from plywise.compiling.bridge import entry
from plywise.compiling.diagnose import refusals
from plywise.compiling.native import CONSTANT
from plywise.compiling.native_types import native_type
from tests import helpers_elsewhere
from tests.readings import both, compiled, value


class Pile(NamedTuple):
    left: int
    turn: int


class Take(pw.Game):
    """Take one, two or three; the player who takes the last one wins."""

    size: int = 6

    def initial(self):
        return Pile(self.size, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for count in range(1, min(3, state.left) + 1):
            yield count

    def play(self, state, move):
        return Pile(state.left - move, 1 - state.turn)

    def is_terminal(self, state):
        return state.left == 0

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1


# ---------------------------------------------------------------------------------------------------------------------
# What rules may be written with
# ---------------------------------------------------------------------------------------------------------------------


class Methods(Take):
    BONUS = 10

    @staticmethod
    def boon(won, factor=1):
        return factor if won else -factor

    @property
    def most(self):
        return self.size // 2

    @functools.cached_property
    def worth(self):
        return (self.size, (0.5, "text"))

    def shares(self, state, first=1, second=100):
        return self.boon(state.turn == pw.MIN) * (first + second)

    def moves(self, state):
        return range(1, min(self.most, state.left) + 1)

    def score(self, state):
        named = self.shares(state) + self.shares(state, second=7) + self.shares(first=2, state=state)
        return named + self.boon(state.turn == pw.MIN, 1000) + self.BONUS + self.worth[0] + Take.score(self, state)


class Child(Methods):
    BONUS = 20

    def boon(self, won, factor=1):  # type: ignore[override]
        return 2 * factor if won else -factor


def test_methods_properties_defaults_and_bases() -> None:
    assert both(Methods(5)) != both(Child(5))


class Suit(enum.IntEnum):
    MAX = 0
    MIN = 1


class Mood(enum.Enum):
    GOOD = 1
    BAD = 2


class Weights:
    WIN = 4


def counted(most):
    count = 0
    while count < most:
        count += 1
        yield count


def factorial(number):
    return 1 if number < 2 else number * factorial(number - 1)


@functools.cache
def cached(x):
    return x + 1


class Helpers(Take):
    def moves(self, state):
        for count in counted(min(3, state.left)):
            yield count

    def score(self, state):
        mood = Mood.GOOD if state.turn == Suit.MIN else Mood.BAD
        won = 1 if mood == Mood.GOOD else -1
        lambdas = (lambda x: 3 * x)(won)
        here = factorial(5) + cached(2) + Weights.WIN + abs(min(won, 3)) + lambdas
        return won * (here + helpers_elsewhere.twice(7) * helpers_elsewhere.FACTOR + pw.bits.popcount(255))


def test_helpers_of_all_kinds_wherever_they_are() -> None:
    assert both(Helpers()) == 120 + 3 + 4 + 1 + 3 + 42 + 8


def closing_over(number: int, helper: Any) -> type[pw.Game]:
    class Closing(Take):
        def score(self, state):
            return helper(number) if state.turn == pw.MIN else -number

    return Closing


def test_a_class_inside_a_function_closes_over_its_variables() -> None:
    assert both(closing_over(3, lambda x: x)()) == 3
    assert both(closing_over(4, lambda x: x)()) == 4
    assert both(closing_over(4, lambda x: 5 * x)()) == 20


# ---------------------------------------------------------------------------------------------------------------------
# What a position may be
# ---------------------------------------------------------------------------------------------------------------------


class PlainTuple(Take):
    def initial(self):
        return (6, 0)

    def to_move(self, state):
        return state[1]

    def moves(self, state):
        return range(1, min(3, state[0]) + 1)

    def play(self, state, move):
        return (state[0] - move, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def score(self, state):
        return 1 if state[1] == 1 else -1


class Number(Take):
    def initial(self):
        return 12

    def to_move(self, state):
        return state % 2

    def moves(self, state):
        return range(1, min(3, state // 2) + 1)

    def play(self, state, move):
        return (state // 2 - move) * 2 + 1 - state % 2

    def is_terminal(self, state):
        return state < 2

    def score(self, state):
        return 1 if state % 2 else -1


class Inner(NamedTuple):
    far: int
    near: bool


class Mixed(NamedTuple):
    left: int
    weight: float
    flag: bool
    nested: tuple[int, tuple[float, int]]
    inner: Inner
    turn: int = 0


class MixedState(Take):
    def initial(self):
        return Mixed(6, 0.5, False, (1, (2.5, -3)), Inner(-(1 << 63), True))

    def play(self, state, move):
        deep = (state.nested[1][1], (state.nested[1][0] * 2, state.nested[0]))
        inner = Inner(state.inner.far + move, not state.inner.near)
        later = Mixed(left=state.left - move, weight=-state.weight, flag=state.turn == 1, nested=deep, inner=inner)
        return later._replace(turn=1 - state.turn, weight=later.weight + 1)

    def score(self, state):
        deep = state.nested[0] * 10 + state.nested[1][0] + state.nested[1][1]
        return deep * (1 if state.flag else -1) + state.weight + (state.inner.far & 255) + state.inner.near


def test_positions_may_be_tuples_and_numbers() -> None:
    assert both(PlainTuple()) == both(Number()) == both(Take())
    for left in range(1, 9):  # also positions that initial never returned
        expected = both(Take(), state=Pile(left, 1))
        assert both(PlainTuple(), state=(left, 1)) == both(Number(), state=2 * left + 1) == expected


def test_fields_may_be_numbers_of_all_kinds_and_tuples_with_defaults_and_replace() -> None:
    game = MixedState()
    both(game)
    both(game, state=game.play(game.play(game.initial(), 2), 1))


# ---------------------------------------------------------------------------------------------------------------------
# Numbers
# ---------------------------------------------------------------------------------------------------------------------


class Huge(Take):
    def score(self, state):
        return (1 << 53) + 1 if state.turn == pw.MIN else -(1 << 61) + 1


class FloatEvaluation(Take):
    def evaluate(self, state):
        return state.left / 4 - 0.5


class BooleanScore(Take):
    def score(self, state):
        return state.turn == pw.MIN


def test_scores_above_what_a_float_holds_stay_exact() -> None:
    for left, expected in ((4, -(1 << 61) + 1), (5, (1 << 53) + 1)):
        assert pw.search(Huge(), Pile(left, pw.MAX), algorithm="alphabeta").value == expected
        assert both(Huge(), state=Pile(left, pw.MAX)) == expected


def test_whole_scores_with_a_fractional_estimate() -> None:
    for depth in (1, 2, 3):
        result = pw.search(FloatEvaluation(8), algorithm="minimax_single", depth=depth)
        assert result.compiled
        with pw.interpreted():
            assert pw.search(FloatEvaluation(8), algorithm="minimax_single", depth=depth).value == result.value


def test_a_boolean_score_counts_as_a_number() -> None:
    assert both(BooleanScore(4)) == 0
    assert both(BooleanScore(5)) == 1


# ---------------------------------------------------------------------------------------------------------------------
# Tables
# ---------------------------------------------------------------------------------------------------------------------


class Tables(Take):
    """Scores come from arrays of all kinds."""

    field: np.ndarray = dataclasses.field(default_factory=lambda: np.array([1, 2]))
    CLASS_WIDE = np.arange(6, dtype=np.float32).reshape(2, 3)

    @functools.cached_property
    def strided(self):
        return np.arange(40, dtype=np.int16).reshape(4, 10)[::-2, 1::3]

    @functools.cached_property
    def transposed(self):
        return np.asfortranarray(np.arange(6, dtype=np.uint8).reshape(2, 3))

    @functools.cached_property
    def single(self):
        return np.array(7, dtype=np.int32)

    @functools.cached_property
    def flags(self):
        return np.array([True, False])

    @functools.cached_property
    def solid(self):
        cube = np.arange(24).reshape(2, 3, 4)
        cube.flags.writeable = False
        return cube

    def score(self, state):
        turn = state.turn
        total = self.field[turn] + self.CLASS_WIDE[turn, 2] + self.strided[turn, 1] + self.transposed[turn, 2]
        if self.flags[turn]:
            total += 1000
        return total + self.single[()] + self.solid[1, 2, turn] + len(self.field) + self.strided.shape[1]


def test_tables_of_all_kinds_and_shapes() -> None:
    for size in (4, 5):
        both(Tables(size, np.array([5, -9])))
        both(Tables(size, np.array([5.5, -9.25])[::-1]))


def test_the_content_of_a_table_is_not_part_of_the_code() -> None:
    one, two = Tables(5, np.array([1, 2])), Tables(5, np.array([300, 400]))
    assert native_type(one) == native_type(two)
    assert both(one) != both(two)
    before = len(entry(value).overloads)
    one.field[:] = 77, 88
    assert both(one) not in (both(two), both(Tables(5, np.array([1, 2]))))
    assert len(entry(value).overloads) == before


class Handicap(Take):
    """A number that is no constant, between numbers that are."""

    goal: int = 3
    bonus: float = dataclasses.field(default=0, metadata={CONSTANT: False})
    scale: int = 1

    def score(self, state):
        return self.scale * (1 if state.turn == pw.MIN else -self.goal) + self.bonus


def test_games_that_differ_in_a_number_that_is_no_constant_share_their_code() -> None:
    usual = Handicap()
    both(usual)
    before = len(entry(value).overloads)
    for bonus in (5, -40):
        given = Handicap(bonus=bonus)
        assert native_type(given) == native_type(usual)
        assert both(given) == both(usual) + bonus
    assert len(entry(value).overloads) == before
    for other in (Handicap(goal=4), Handicap(scale=2), Handicap(bonus=0.5)):  # a constant, or a number of another type
        assert native_type(other) != native_type(usual)
        both(other)


def test_a_read_only_table_cannot_be_written_by_rules() -> None:
    class Scribbling(Tables):
        def score(self, state):
            self.solid[0, 0, 0] = 3
            return 0

    reasons = dict(refusals(Scribbling(5, np.array([1, 2]))))
    assert set(reasons) == {"score"}


def test_a_copy_has_tables_of_its_own() -> None:
    game = Tables(5, np.array([1, 2]))
    first = both(game)
    for copied in (copy.deepcopy(game), copy.copy(game), pickle.loads(pickle.dumps(game))):
        assert both(copied) == first
    other = copy.deepcopy(game)
    other.field[:] = 5000
    assert both(other) != first
    assert both(game) == first


def test_arrays_may_be_arguments_of_an_algorithm_of_ones_own() -> None:
    def fill(game, state, values, factor):
        for i in range(len(values)):
            values[i] = i * factor
        return len(values)

    values = np.zeros(4)
    references = sys.getrefcount(values)
    for _ in range(100):
        assert compiled(fill, Take(), values, 3) == 4
    assert values.tolist() == [0, 3, 6, 9]
    assert sys.getrefcount(values) == references


# ---------------------------------------------------------------------------------------------------------------------
# What changes at the prompt
# ---------------------------------------------------------------------------------------------------------------------


def test_a_helper_that_is_defined_again_counts_at_once() -> None:
    names: dict[str, Any] = {"Take": Take, "pw": pw, "__name__": "prompt"}
    exec("def boon(): return FACTOR\nFACTOR = 2\n", names)
    exec("class Game(Take):\n    def score(self, state): return boon() if state.turn == pw.MIN else -boon()\n", names)
    game = names["Game"](5)
    assert both(game) == 2
    exec("FACTOR = 3\n", names)
    assert both(game) == 3
    exec("def boon(): return 10 * FACTOR\n", names)
    assert both(game) == 30
    names["Game"].score = lambda self, state: 6
    assert both(game) == 6


def test_a_class_that_could_not_be_compiled_gets_another_chance_when_its_helper_is_mended() -> None:
    names: dict[str, Any] = {"Take": Take, "__name__": "prompt"}
    exec("class Mended(Take):\n    def score(self, state): return helper(state.turn)\n", names)
    exec("def helper(turn): return int(str(2 * turn - 1))\n", names)
    game = names["Mended"](3)
    with pytest.warns(
        pw.CompileWarning, match=r"^Mended.score cannot be compiled at line 1 of <string>: int\(str\) has"
    ):
        assert not pw.search(game, depth=2, algorithm="minimax_single").compiled
    exec("def helper(turn): return 2 * turn - 1\n", names)
    assert pw.search(game, depth=2, algorithm="minimax_single").compiled


# ---------------------------------------------------------------------------------------------------------------------
# Wherever a class is written: without a file
# ---------------------------------------------------------------------------------------------------------------------

TYPED = """
from typing import NamedTuple
import plywise as pw
class Pile(NamedTuple):
    left: int
    turn: int

def most(left):
    return min(3, left)

class Typed(pw.Game):
    size: int = 6
    def initial(self): return Pile(self.size, pw.MAX)
    def to_move(self, state): return state.turn
    def moves(self, state): return range(1, most(state.left) + 1)
    def play(self, state, move): return Pile(state.left - move, 1 - state.turn)
    def is_terminal(self, state): return state.left == 0
    def score(self, state): return 1 if state.turn == pw.MIN else -1

"""


def test_a_class_in_a_cell_of_a_notebook() -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(TYPED, "<ipython-input-1-0123456789ab>", "exec"), names)
    assert both(names["Typed"]()) == 1


def test_a_class_at_the_interactive_prompt() -> None:
    import code

    names: dict[str, Any] = {"__name__": "__console__"}
    prompt = code.InteractiveConsole(names)
    errors = io.StringIO()
    prompt.write = errors.write  # type: ignore[method-assign, assignment]
    for line in TYPED.splitlines():
        prompt.push(line)
    assert not errors.getvalue()
    assert both(names["Typed"]()) == 1
