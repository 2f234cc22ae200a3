"""A game that cannot be compiled runs interpreted, with one warning that says where, why and what to write instead."""

from __future__ import annotations

import functools
import inspect
import math
import os
import re
import sys
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest

import plywise as pw
from plywise.compiling.diagnose import bare_state, blame, refusals
from plywise.compiling.reading import CannotCompile
from tests.take_away import Pile
from tests.take_away import TakeAway as Take

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
    ClassMethod: "score: boon is a class method: make it a static method or a method",
    TooWideConstant: "play: self.FULL is 18446744073709551615, which does not fit a signed 64-bit integer",
    TypeTest: "score: isinstance() does not support variables of type",
    Except: "score: only `except Exception` compiles",
    YieldFrom: "moves: `yield from` has no compiled form: write a loop that yields",
    With: "score: `with` has no compiled form",
    PrintToFile: "score: print takes only positional arguments in compiled code",
    Import: "score: an import inside a rule has no compiled form: import at the top of the file",
    AddsText: "score: int + str has no compiled form",
    TwoTypes: "score: result is int here and str there: give it one type",
    Misspelled: "score: Pile has no trun in compiled code",
    MisspelledSelf: "score: class MisspelledSelf has no attribute sise",
    Undefined: "score: the name nowhere is not defined",
    SetsAField: "play: a Pile cannot change: return a new one instead of setting left",
    FieldTurnsFloat: "play: field left is int in initial() but float here: write int(...) or //, or a float in ",
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
        results = [pw.search(Opaque(6), depth=depth, algorithm="minimax_single") for depth in (6, 7)]
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


def test_the_line_that_is_named_is_not_one_of_plywise() -> None:
    text = f'File "{pw.bits.__file__}", line 3\nFile "{inspect.getfile(inspect)}", line 5'
    assert f" at line 5 of {inspect.getfile(inspect)}: " in blame(Take(), ValueError(text))
    assert f" at line 3 of {pw.bits.__file__}: " in blame(pw.games.Nim(), ValueError(text))
