"""Equal fingerprints mean equal behaviour: they cover everything that compiled code can reach, and nothing else."""

from __future__ import annotations

import enum
import functools
import subprocess
import sys
import types
from typing import Any, NamedTuple

import numpy as np
import pytest

import plywise as pw
from plywise.compiling.fingerprint import VOLATILE, class_fingerprint, code_digest, fingerprint, rules_digest
from plywise.compiling.native_types import native_type

HELPER = """
def helper(x):
    return x + {number}
"""


def scope(source: str, **names: Any) -> dict[str, Any]:
    """Run ``source`` as a module of its own; returns its names."""
    found = {"__name__": "somewhere", "pw": pw, "np": np, "NamedTuple": NamedTuple, **names}
    exec(source, found)
    return found


def of(source: str, **names: Any) -> str:
    """The fingerprint of the function ``f`` in ``source``."""
    return fingerprint(scope(source, **names)["f"])


PLAIN = "def f(x):\n    return x + LIMIT + helper(x)\n\ndef helper(x, step=1):\n    return x - step\n\nLIMIT = 3\n"


def test_names_of_files_lines_and_comments_do_not_count() -> None:
    moved = "# a comment\n\n\n" + PLAIN.replace("return x - step", "return x - step  # here")
    assert of(PLAIN) == of(moved)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x + LIMIT", "x * LIMIT"),
        ("LIMIT = 3", "LIMIT = 4"),
        ("LIMIT = 3", "LIMIT = 3.0"),
        ("LIMIT = 3", "LIMIT = True"),
        ("x - step", "x - step - 1"),
        ("step=1", "step=2"),
    ],
)
def test_a_change_anywhere_within_reach_counts(old: str, new: str) -> None:
    assert old in PLAIN
    assert of(PLAIN) != of(PLAIN.replace(old, new))


def test_what_is_out_of_reach_does_not_count() -> None:
    assert of(PLAIN) == of(PLAIN + "\ndef other():\n    return 1\n\nOTHER = 7\n")


def test_a_helper_behind_modules_counts() -> None:
    def through(number: int) -> str:
        inner, outer = types.ModuleType("inner"), types.ModuleType("outer")
        exec(HELPER.format(number=number), vars(inner))
        outer.inner = inner  # type: ignore[attr-defined]
        return of("def f(x):\n    return outer.inner.helper(x)\n", outer=outer)

    assert through(1) == through(1)
    assert through(1) != through(2)


def test_a_module_that_two_functions_use_differently_is_described_for_both() -> None:
    def through(number: int) -> str:
        shared = types.ModuleType("shared")
        exec(HELPER.format(number=number) + "ONE = 1\n", vars(shared))
        return of("def f(x):\n    return shared.ONE + g(x)\n\ndef g(x):\n    return shared.helper(x)\n", shared=shared)

    assert through(1) != through(2)


def test_closures_count() -> None:
    source = "def outer(k):\n    def f(x):\n        return k * x\n    return f\n\nf = outer({})\n"
    assert of(source.format(2)) == of(source.format(2))
    assert of(source.format(2)) != of(source.format(3))
    assert of(source.format("lambda x: x")) != of(source.format("lambda x: x + 1"))


def test_recursion_has_a_fingerprint() -> None:
    source = "def f(x):\n    return g(x)\n\ndef g(x):\n    return f(x) + {}\n"
    assert of(source.format(1)) == of(source.format(1))
    assert of(source.format(1)) != of(source.format(2))


CLASS = """
class State(NamedTuple):
    left: int
    turn: int = 0

class Rules(pw.Game):
    BONUS = 2
    def initial(self): return State(3)
    def score(self, state): return self.prize(state) * self.BONUS + self.half
    def prize(self, state): return 1
    @property
    def half(self): return 5
    @staticmethod
    def unused(): return 0
    def format(self, state): return "a"
"""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("prize(self, state): return 1", "prize(self, state): return 2", False),
        ("BONUS = 2", "BONUS = 3", False),
        ("half(self): return 5", "half(self): return 6", False),
        ("left: int", "left: float", False),
        ("turn: int = 0", "turn: int = 1", False),
        ("    turn: int = 0", "    turn: int = 0\n    more: int = 0", False),
        ('"a"', '"b"', True),  # no search calls format
        ("return 0", "return 1", True),
    ],
)
def test_what_the_entry_points_of_a_class_reach_counts(old: str, new: str, same: bool) -> None:
    assert CLASS.count(old) == 1

    def of_class(source: str) -> str:
        return class_fingerprint(scope(source)["Rules"], pw.Game.ENTRY_POINTS)

    assert (of_class(CLASS) == of_class(CLASS.replace(old, new))) == same


class Color(enum.IntEnum):
    RED = 1


class Flavour(enum.Enum):
    SWEET = 1


THINGS = [
    None, 1, 2.5, "a", (1, (2,)), [1, 2], {1: 2}, {3, 4}, np.arange(3), np.float32(1), Color.RED, Color, Flavour.SWEET,
    Flavour, np, len, np.add, functools.cache(len), ValueError, range(3), pw.games.Nim(), pw.games.Nim,
]  # fmt: skip


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
def test_all_that_compiled_code_may_name_has_a_lasting_fingerprint(thing: Any) -> None:
    assert not of("def f():\n    return thing\n", thing=thing).startswith(VOLATILE)


def test_what_cannot_be_described_is_good_for_this_process_only() -> None:
    class Opaque:
        pass

    for thing in (Opaque(), object(), [Opaque()]):
        found = scope("def f():\n    return thing\n", thing=thing)["f"]
        assert fingerprint(found).startswith(VOLATILE)
        assert fingerprint(found) == fingerprint(found)


def test_a_name_that_means_something_else_now_counts_at_once() -> None:
    names = scope(PLAIN)
    first = fingerprint(names["f"])
    names["LIMIT"] = 4
    second = fingerprint(names["f"])
    names["helper"] = lambda x: x
    third = fingerprint(names["f"])
    names["LIMIT"] = 3
    names["helper"] = scope(PLAIN)["helper"]
    assert len({first, second, third}) == 3
    assert fingerprint(names["f"]) == first


def test_a_method_that_is_replaced_counts_at_once() -> None:
    rules = scope(CLASS)["Rules"]

    class Child(rules):  # type: ignore[misc, valid-type]
        pass

    first = class_fingerprint(Child, pw.Game.ENTRY_POINTS)
    rules.prize = lambda self, state: 9
    second = class_fingerprint(Child, pw.Game.ENTRY_POINTS)
    Child.prize = lambda self, state: 10
    assert len({first, second, class_fingerprint(Child, pw.Game.ENTRY_POINTS)}) == 3


def test_code_that_is_replaced_in_place_counts_at_once() -> None:
    names = scope(PLAIN)
    first = fingerprint(names["f"])
    names["helper"].__code__ = scope(PLAIN.replace("x - step", "x + step"))["helper"].__code__  # as autoreload does
    assert fingerprint(names["f"]) != first


def test_the_next_process_agrees() -> None:
    program = (
        "import plywise as pw; from plywise.compiling.fingerprint import *; from plywise.algorithms import TEXTBOOK;"
        "print([fingerprint(a.function) for a in TEXTBOOK.values()],"
        "class_fingerprint(pw.games.ConnectFour, pw.Game.ENTRY_POINTS))"
    )
    run = [sys.executable, "-c", program]
    one, two = (subprocess.run(run, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert one == two
    assert VOLATILE not in one


RULES = """
class Inner(NamedTuple):
    x: int

class Position(NamedTuple):
    inner: Inner
    many: tuple[Inner, Inner]

class {name}(pw.Game):
    def initial(self): return Position(Inner(1), (Inner(2), Inner(3)))
    def score(self, state): return helpers.helper(state.inner.x)
"""


def test_names_of_modules_and_of_a_game_do_not_count() -> None:
    def of_game(module: str, helpers: str, name: str, number: int = 1) -> str:
        beside = types.ModuleType(helpers)
        exec(HELPER.format(number=number), vars(beside))
        rules = scope(RULES.format(name=name), __name__=module, helpers=beside)[name]
        return class_fingerprint(rules, pw.Game.ENTRY_POINTS)

    first = of_game("__main__", "helpers", "Rules")
    assert first == of_game("plywise_file_rules", "other.helpers", "Renamed")
    assert first != of_game("__main__", "helpers", "Rules", 2)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    print(x)\n",
        "def f(x):\n    raise Mine(x)\n\nclass Mine(Exception):\n    pass\n",
        "def f(x):\n    return __name__ == '__main__'\n",
    ],
)
def test_the_name_of_a_module_counts_where_it_shows(source: str) -> None:
    assert of(source, __name__="one") == of(source, __name__="one")
    assert of(source, __name__="one") != of(source, __name__="two")


TUPLE = """
class Position(NamedTuple):
    left: int
    LIMIT = 3
    def is_over(self): return self.left == self.zero()
    def zero(self): return 0
    @property
    def half(self): return self.left // 2
    def text(self): return opaque

class Rules(pw.Game):
    def initial(self): return Position(3)
    def score(self, state): return helper(state) + state.half
def helper(state): return state.is_over() + state.LIMIT
"""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("left // 2", "left // 3", False),
        ("self.left ==", "self.left !=", False),
        ("return 0", "return 1", False),  # which only another method calls
        ("LIMIT = 3", "LIMIT = 4", False),
        ("return opaque", "return None", True),  # which no rule calls
    ],
)
def test_the_methods_of_a_position_that_rules_mention_count(old: str, new: str, same: bool) -> None:
    assert TUPLE.count(old) == 1

    def of_class(source: str) -> str:
        return class_fingerprint(scope(source, opaque=object())["Rules"], pw.Game.ENTRY_POINTS)

    assert not of_class(TUPLE).startswith(VOLATILE)
    assert (of_class(TUPLE) == of_class(TUPLE.replace(old, new))) == same


@pytest.mark.parametrize("made", ["def initial(self): return START", "def initial(self): return self.start"])
@pytest.mark.parametrize(
    ("old", "new"), [("left // 2", "left // 3"), ("return 0", "return 1"), ("LIMIT = 3", "LIMIT = 4")]
)
def test_the_methods_of_a_position_count_where_no_rule_names_its_class(made: str, old: str, new: str) -> None:
    source = TUPLE.replace("def initial(self): return Position(3)", made).replace(
        "class Rules(pw.Game):",
        "START = Position(3)\nclass Rules(pw.Game):\n    @functools.cached_property\n    def start(self): return START",
    )
    assert made in source
    games = [
        scope(text, opaque=object(), functools=functools)["Rules"]() for text in (source, source.replace(old, new))
    ]
    for name in (str(native_type(games[0])), rules_digest(games[0])):
        assert VOLATILE not in name
    assert native_type(games[0]) != native_type(games[1])
    assert rules_digest(games[0]) != rules_digest(games[1])


VALUES = """
def prepared(size): return tuple(range(size))
class Rules(pw.Game):
    weights = np.array([1, 2, 3])
    spare = np.array([1])
    @functools.cached_property
    def table(self): return prepared(3)
    @functools.cached_property
    def unused(self): return prepared(7)
    def initial(self): return 3
    def moves(self, state): return self.table
    def play(self, state, move): return state - move
    def score(self, state): return look_up(self, state)
def look_up(game, state): return game.weights[state]
"""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("tuple(range(size))", "tuple(range(size + 1))", False),
        ("prepared(3)", "prepared(2)", False),
        ("[1, 2, 3]", "[1, 2, 4]", False),
        ("tuple(range(size))", "tuple(list(range(size)))", True),
        ("prepared(7)", "prepared(8)", True),
        ("np.array([1])", "np.array([2])", True),
    ],
)
def test_results_depend_on_the_values_that_rules_read(old: str, new: str, same: bool) -> None:
    """Those of cached properties and arrays: what computes them is no part of the code."""
    first, second = (scope(text, functools=functools)["Rules"]() for text in (VALUES, VALUES.replace(old, new)))
    assert (rules_digest(first) == rules_digest(second)) == same


def test_rules_that_read_what_cannot_be_described_fit_no_other_process() -> None:
    game = scope(VALUES.replace("prepared(3)", "OPAQUE"), functools=functools, OPAQUE=object())["Rules"]()
    assert VOLATILE in code_digest(game)
