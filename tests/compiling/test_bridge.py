"""Any conforming game is compiled, and answers as it does interpreted; one that cannot be says why, once."""

from __future__ import annotations

import copy
import dataclasses
import enum
import functools
import inspect
import io
import math
import os
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.generators import GeneratorDescriptor

import plywise as pw
from plywise.compiling.bridge import dispatcher, entry, native_type
from plywise.compiling.diagnose import bare_state, blame, refusals
from plywise.compiling.native import inlined
from plywise.compiling.reading import CannotCompile
from tests import helpers_elsewhere
from tests.readings import compiled, interpreted, value


class Pile(NamedTuple):
    left: int
    turn: int


class Take(pw.Game):
    """Take one, two or three; whoever takes the last one wins."""

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


def both(game: pw.Game, depth: int = 8, state: Any = None) -> Any:
    """Return the value of a position, which both readings must agree on."""
    answer = compiled(value, game, depth, state=state)
    assert answer == interpreted(value, game, depth, state=state)
    return answer


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
# What cannot be compiled
# ---------------------------------------------------------------------------------------------------------------------

ANYTHING = object()
SQUARES = {1: 1}
SIDES = [1, 2]


def deep(x):
    return x + len(SQUARES)  # here: DictInAHelper


def shallow(x):
    return deep(x)


class SuperCall(Take):
    def score(self, state):
        return super().score(state)  # here


class DictInAHelper(Take):
    def boon(self, x):
        return shallow(x)

    def score(self, state):
        return self.boon(state.turn)


class GlobalList(Take):
    def score(self, state):
        return SIDES[state.turn]  # here


class GlobalObject(Take):
    def score(self, state):
        return 1 if ANYTHING else 2  # here


class ListField(Take):
    names: tuple[Any, ...] = (["a"],)

    def score(self, state):
        return len(self.names)  # here


class ClassMethod(Take):
    @classmethod
    def boon(cls):
        return 1

    def score(self, state):
        return self.boon()  # here


class TooWideConstant(Take):
    FULL = (1 << 64) - 1

    def play(self, state, move):
        return Pile((state.left - move) & self.FULL, 1 - state.turn)  # here


class TypeTest(Take):
    def score(self, state):
        if isinstance(state, Pile):  # here
            return 1
        return 0


class Except(Take):
    def score(self, state):
        try:
            return 1 // state.left
        except ZeroDivisionError:  # here
            return -1


class YieldFrom(Take):
    def moves(self, state):
        yield from range(1, min(3, state.left) + 1)  # here


class With(Take):
    def score(self, state):
        with open(os.devnull) as file:  # here
            return len(file.name)


class PrintToFile(Take):
    def score(self, state):
        print(state.left, file=sys.stderr)  # here
        return 1


class Import(Take):
    def score(self, state):
        import math  # here

        return math.floor(1.5)


class AddsText(Take):
    def score(self, state):
        return state.left + "a"  # here


class TwoTypes(Take):
    def score(self, state):
        result = 1
        if state.turn:
            result = "won"
        return result  # here


class Misspelled(Take):
    def score(self, state):
        return state.trun  # here


class MisspelledSelf(Take):
    def score(self, state):
        return self.sise  # here


class Undefined(Take):
    def score(self, state):
        return nowhere  # type: ignore[name-defined]  # noqa: F821  # here


class SetsAField(Take):
    def play(self, state, move):
        state.left -= move  # here
        return state


class FieldTurnsFloat(Take):
    def play(self, state, move):  # here
        return Pile((state.left - move) / 1, 1 - state.turn)


class OtherTuple(Take):
    def play(self, state, move):  # here
        return (state.left - move, 1 - state.turn)


class KeywordOnly(Take):
    def boon(self, *, factor):
        return factor

    def score(self, state):
        return self.boon(factor=1)  # here


class TextMoves(Take):
    def moves(self, state):  # here
        yield "one"


class NoScore(Take):
    def score(self, state):  # here
        state.left + 1


class ForeignBytes(Take):
    @functools.cached_property
    def table(self):
        return np.arange(3).astype(">i8")

    def score(self, state):
        return self.table[0]  # here


REASONS = {
    SuperCall: "score: super() has no compiled form: call the method by its class, as in Base.score(self, state)",
    DictInAHelper: "score: the global name SQUARES is a dict, but compiled code can use only ",
    GlobalList: "score: the global name SIDES is a list or a set, which may change: make it a tuple",
    GlobalObject: "score: the global name ANYTHING is a object, but compiled code can use only ",
    ListField: "score: self.names is a tuple, but compiled code can use only numbers, strings, ",
    ClassMethod: "score: boon is a class method: make it a static method, or a method",
    TooWideConstant: "play: self.FULL is 18446744073709551615, which does not fit a signed 64-bit integer",
    TypeTest: "score: isinstance() does not support variables of type",
    Except: "score: only `except Exception` can be compiled",
    YieldFrom: "moves: `yield from` has no compiled form: write a loop that yields",
    With: "score: `with` has no compiled form",
    PrintToFile: "score: print has only positional arguments in compiled code",
    Import: "score: an import inside a rule has no compiled form: import at the top of the file",
    AddsText: "score: int + str has no compiled form",
    TwoTypes: "score: result is int here and str there: give it one type",
    Misspelled: "score: Pile has no trun in compiled code",
    MisspelledSelf: "score: class MisspelledSelf has no attribute sise",
    Undefined: "score: the name nowhere is not defined",
    SetsAField: "play: a Pile cannot change: return a new one instead of setting left",
    FieldTurnsFloat: "play: field left is int in initial() but float here: write int(...) or //, or begin with a float",
    OtherTuple: "play: it returns tuple of 2 int, but initial() returns Pile",
    KeywordOnly: "score: a call does not fit the parameters (self, *, factor)",
    TextMoves: "moves: its moves are str, but a move must be an integer",
    NoScore: "score: it returns None, but must return a number",
    ForeignBytes: "score: self.table is an array of >i8, but compiled code can use only ",
}


@pytest.mark.parametrize("cls", REASONS, ids=lambda cls: cls.__name__)
def test_a_refusal_names_the_class_the_method_the_line_and_the_reason(cls: type[pw.Game]) -> None:
    ((method, sentence),) = refusals(cls())
    expected_method, _, reason = REASONS[cls].partition(": ")
    found = re.fullmatch(r"(\w+)\.(\w+) cannot be compiled at line (\d+) of (\S+): (.+)", sentence)
    assert found is not None, sentence
    assert found[1] == cls.__name__
    assert found[2] == method == expected_method
    assert found[4] == __file__
    assert found[5].startswith(reason), sentence
    assert int(found[3]) == marked_line(cls), sentence
    assert blame(cls(), ValueError()) == sentence


def marked_line(cls: type) -> int:
    """Return the number of the line with the comment ``here`` that is meant for ``cls``."""
    lines, first = inspect.getsourcelines(cls)
    own = [first + i for i, line in enumerate(lines) if line.rstrip().endswith("# here")]
    everything = inspect.getsource(sys.modules[__name__]).splitlines()
    elsewhere = [i for i, line in enumerate(everything, 1) if line.endswith(f"# here: {cls.__name__}")]
    return (own + elsewhere)[0]


def test_a_game_that_cannot_be_compiled_works_with_one_warning() -> None:
    class Opaque(Take):
        def is_terminal(self, state):
            return int(str(state.left)) == 0

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = [pw.search(Opaque(), depth=depth, algorithm="minimax_single") for depth in (6, 7)]
        results.append(pw.search(Opaque(5), depth=6, algorithm="alphabeta"))
    assert [result.value for result in results] == [1, 1, 1]
    assert not any(result.compiled for result in results)
    (warning,) = (warning for warning in caught if warning.category is pw.CompileWarning)
    assert warning.filename == __file__
    assert str(warning.message).startswith("Opaque.is_terminal cannot be compiled at line ")
    assert str(warning.message).endswith("; it runs interpreted, which is slow")
    assert "\n" not in str(warning.message)


class Taken(NamedTuple):
    left: int
    turn: int
    taken: Any


class ListState(Take):
    def initial(self):
        return Taken(self.size, 0, [])

    def play(self, state, move):
        return Taken(state.left - move, 1 - state.turn, [*state.taken, move])


class WideState(Take):
    """A position that fits 64 bits only on small boards."""

    def initial(self):
        return Taken(self.size, 0, 1 << 8 * self.size)

    def play(self, state, move):
        return Taken(state.left - move, 1 - state.turn, state.taken >> 1)


def test_a_position_that_is_not_made_of_numbers_is_named() -> None:
    with pytest.warns(pw.CompileWarning, match="field taken of its positions holds a list"):
        assert pw.search(ListState(5), algorithm="minimax_single").value == 1


def test_a_board_that_is_too_wide_does_not_spoil_smaller_ones() -> None:
    with pytest.warns(pw.CompileWarning, match=r"field taken of its positions is \d+, which does not fit"):
        assert pw.search(WideState(9), depth=2, algorithm="minimax_single").value == 0
    assert pw.search(WideState(5), depth=2, algorithm="minimax_single").compiled


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("text", "a position must be a NamedTuple of numbers, but this game's is a str"),
        (None, "but this game's is a NoneType"),
        ((1, "a"), "field 1 of its positions holds a str"),
        ((1, (2, None)), "field 1 of its positions holds a NoneType"),
        (Pile(0, 1 << 63), "field turn of its positions is 9223372036854775808, which does not fit"),
        (-(1 << 63) - 1, "its position is -9223372036854775809, which does not fit"),
    ],
)
def test_positions_that_compiled_code_cannot_take(state: Any, words: str) -> None:
    with pytest.raises(CannotCompile, match=re.escape(words)):
        bare_state(Take(), state)


def test_positions_that_compiled_code_takes() -> None:
    assert bare_state(Take(), Pile(-(1 << 63), (1 << 63) - 1)) == (-(1 << 63), (1 << 63) - 1)
    assert bare_state(Take(), (np.int64(3), (np.float64(0.5), np.bool_(True)))) == (3, (0.5, True))
    assert math.isinf(bare_state(Take(), math.inf))


# ---------------------------------------------------------------------------------------------------------------------
# Interpreted by choice
# ---------------------------------------------------------------------------------------------------------------------


def test_interpretation_by_context() -> None:
    with pw.interpreted():
        assert not pw.search(Take(), depth=3, algorithm="minimax_single").compiled
    assert pw.search(Take(), depth=3, algorithm="minimax_single").compiled

    @pw.interpreted()
    def debugging() -> bool:
        return pw.search(Take(), depth=3, algorithm="minimax_single").compiled

    assert not debugging()


def test_interpretation_by_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for chosen, is_compiled in (("1", False), ("0", True), ("", True)):
        monkeypatch.setenv("PLYWISE_INTERPRET", chosen)
        assert pw.search(Take(), depth=3, algorithm="minimax_single").compiled == is_compiled


def test_interpretation_by_numbas_own_switch() -> None:
    program = (
        "import plywise as pw; result = pw.solve(pw.games.TicTacToe(), 'XO./.X./..O'); "
        "print(result.value, result.compiled, pw.algorithms.perft(pw.games.ConnectFour(), None, 3))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.split() == ["1", "False", "343"], done.stderr


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


def test_what_an_inlined_generator_does_next_is_inlined_too(monkeypatch: pytest.MonkeyPatch) -> None:
    made, descriptor_of = [], GeneratorDescriptor.from_generator_fndesc

    def noting(*arguments: Any) -> GeneratorDescriptor:
        made.append(descriptor_of(*arguments))
        return made[-1]

    def plain(most: int) -> Iterator[int]:
        for number in range(most):
            yield number

    @inlined
    def squares(most: int) -> Iterator[int]:
        for number in range(most):
            yield number * number

    def total(most: int) -> int:
        count = 0
        for number in plain(most):
            count += number
        for number in squares(most):
            count += number
        return count

    monkeypatch.setattr(GeneratorDescriptor, "from_generator_fndesc", staticmethod(noting))
    assert dispatcher(total)(4) == 6 + 14
    assert [bool(descriptor.inline) for descriptor in made] == [False, True]


# ---------------------------------------------------------------------------------------------------------------------
# What Numba lacks
# ---------------------------------------------------------------------------------------------------------------------


def any_is_lazy(n):
    return any(10 // (3 - i) > 4 for i in range(n))  # the third would divide by zero


def all_is_lazy(n):
    return all(10 // (3 - i) < 5 for i in range(n))


def expressions_nested(n):
    some = any(all(i + j < n for j in range(3) if j != 1) for i in range(n))
    return some, all(any(i + j == n for j in range(3)) for i in range(n))


def expressions_read_by_others(n):
    pairs = sum(i * j for i in range(n) for j in range(i) if j % 2)
    return (
        pairs,
        max(i * 7 % 5 for i in range(n + 1)),
        len(list(i for i in range(n))),  # noqa: C400
        len(set(i % 2 for i in range(n))),  # noqa: C401
    )


def expressions_in_conditions(n):
    if (any(i == n - 1 for i in range(n)) and not all(i for i in range(n))) or any(i > 20 for i in range(n)):
        return (True, True, False, False)
    return any((0, n)), all((n, 2, 0)), any([False, n > 2]), all([True, n > 1])


def expression_in_a_generator(n):
    for i in range(n):
        if any(j == i for j in (1, 3)):
            yield i


def generated(n):
    return [number for number in expression_in_a_generator(n)]  # noqa: C416


def backwards(n):
    total = 0
    for number in reversed(range(n)):
        total = total * 3 + number
    for number in reversed(range(1, n, 2)):
        total = total * 3 + number
    for number in reversed((1, 2, n)):
        total = total * 3 + number
    for number in reversed([1, 2, n]):
        total = total * 3 + number
    return total


def counted_bits(n):
    numbers = (1, 2, n, 2)
    return numbers.count(2), n.bit_count(), (-n).bit_count(), n.bit_length(), (-n).bit_length(), (1 << 62).bit_length()


@pytest.mark.parametrize(
    "function",
    [
        any_is_lazy, all_is_lazy, expressions_nested, expressions_read_by_others,
        expressions_in_conditions, generated, backwards, counted_bits,
    ],
)  # fmt: skip
def test_what_numba_lacks_answers_as_python_does(function: Any) -> None:
    for number in (0, 1, 2, 3, 4, 6, 9):
        assert dispatcher(function)(number) == function(number), number


class Tile(enum.IntEnum):
    EMPTY = 0
    X = 1
    O = 2  # noqa: E741


class Board(NamedTuple):
    tiles: tuple[int, ...]
    turn: int = 0
    WEIGHT = 5

    def is_full(self):
        return all(tile != Tile.EMPTY for tile in self.tiles)

    def with_tile(self, place, tile=Tile.X):
        return Board(pw.bits.with_item(self.tiles, place, tile), self.other)

    @property
    def other(self):
        return 1 - self.turn

    @staticmethod
    def doubled(number):
        return 2 * number


def weight_of(board):
    return board.doubled(board.WEIGHT) + board.other


class Tiles(Take):
    MARKS = (Tile.X, Tile.O)

    def initial(self):
        return Board((Tile.EMPTY, Tile.EMPTY, 0))

    def moves(self, state):
        return (place for place, tile in enumerate(state.tiles) if tile == Tile.EMPTY)

    def play(self, state, move):
        return state.with_tile(move) if state.turn == 0 else state.with_tile(move, tile=self.MARKS[state.turn])

    def is_terminal(self, state):
        return state.is_full()

    def score(self, state):
        return sum(tile.value if False else (i + 1) * tile for i, tile in enumerate(state.tiles)) + weight_of(state)


def test_positions_have_methods_and_members_of_an_int_enum_are_integers() -> None:
    assert both(Tiles()) == 8 + 10
    assert both(Tiles(), state=Board((Tile.X, 2, Tile.EMPTY), Tile.X))


def test_a_method_of_the_position_that_is_replaced_counts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    before = both(Tiles())
    monkeypatch.setattr(Board, "doubled", staticmethod(lambda number: 20 * number))  # which a helper calls
    assert both(Tiles()) == before + 90
    monkeypatch.setattr(Board, "other", property(lambda self: 1 - self.turn + 0 * len(self.tiles)))
    assert both(Tiles()) == before + 90
