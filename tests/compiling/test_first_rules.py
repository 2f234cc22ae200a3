"""What newcomers write either compiles, or a plain sentence says where the problem is and what to write instead."""

from __future__ import annotations

import copy
import inspect
import re
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plywise as pw
from plywise.compiling.diagnose import bare_state, blame, refusals
from plywise.compiling.reading import CannotCompile
from plywise.inputs.choose import load_file

FILE = Path(__file__).parents[1] / "first_rules.py"
RULES = vars(load_file(FILE))


class Expected(NamedTuple):
    """The advice for a class, and the line it names; no advice if the class compiles."""

    name: str
    advice: str = ""
    line: int = 0


def expectations() -> list[Expected]:
    """Read the comments in the file of rules."""
    found: dict[str, Expected] = {}
    inside = ""
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), 1):
        if head := re.match(r"class (\w+)\(Base\)", line):
            inside = head[1]
            found.setdefault(inside, Expected(inside))
        if comment := re.search(r"  # says(?: to (\w+))?: (.+)$", line):
            name = comment[1] or inside
            found[name] = Expected(name, comment[2], number)
    return list(found.values())


FORBIDDEN = re.compile(
    r"UniTuple|Tuple\(|OptionalType|nopython|Resolution failure|reflected|unicode_type|Dispatcher|imprecise|"
    r"non-precise|Literal|<iv=|undefined|BoundFunction|Module\(|Function\(|0x[0-9a-f]|Invalid use|getiter|"
    r"int64|cell variable|_defn|During:|\bIR\b|Numba failed|smaller steps, or in another way|  |\n"
)


def test_the_file_has_rules_of_both_kinds() -> None:
    refused = [expected for expected in expectations() if expected.advice]
    assert len(refused) >= 50
    assert len(expectations()) - len(refused) >= 30


@pytest.mark.parametrize("expected", expectations(), ids=lambda expected: expected.name)
def test_a_rule_compiles_or_is_refused_in_plain_words(expected: Expected) -> None:
    game = RULES[expected.name]()
    bare_state(game, game.initial())
    sentences = [sentence for _, sentence in refusals(game)]
    if not expected.advice:
        assert sentences == []
        return
    if expected.name == "TupleOfMoves" and sys.version_info >= (3, 12):  # where it compiles
        assert sentences == []
        return
    sentence = sentences[0]
    found = re.fullmatch(r"(\w+)\.(\w+) cannot be compiled at line (\d+) of (\S+): (.+)", sentence)
    assert found is not None, sentence
    assert (found[1], int(found[3]), found[4]) == (expected.name, expected.line, str(FILE)), sentence
    assert found[2] in vars(type(game)), sentence
    assert expected.advice in found[5], sentence
    assert not FORBIDDEN.search(found[5]), sentence
    assert len(found[5]) <= 200, sentence


def test_warnings_of_numba_are_not_shown() -> None:
    game = RULES["EmptyDict"]()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert len(list(refusals(game))) == 1
    assert caught == []


def test_what_numba_says_in_words_unknown_to_us_is_not_repeated() -> None:
    said = blame(pw.games.Nim(), RuntimeError("Failed in nopython mode pipeline: UniTuple(int64 x 1) is untyped"))
    assert (
        said == "Nim cannot be compiled: Numba cannot compile this line: write it in smaller steps, or in another way"
    )


@pytest.mark.parametrize(
    ("field", "words"), [("Kind.A", "use an IntEnum"), ("None", "use -1"), ("[1]", "holds a list")]
)
def test_a_field_that_is_no_number_is_refused_in_plain_words(field: str, words: str) -> None:
    game: Any = RULES["Base"]()
    with pytest.raises(CannotCompile, match=rf"^Base cannot be compiled: field left of its positions .*{words}"):
        bare_state(game, eval(f"Pos((0,), {field}, 0)", RULES))


def test_setting_attributes_in_init_says_what_to_write() -> None:
    class Own(pw.Game):
        def __init__(self, size: int = 4) -> None:
            self.size = size

    class Later(pw.Game):
        size: int = 4

        def __post_init__(self) -> None:
            self.lines = (1, 2)

    for cls in (Own, Later):
        with pytest.raises(
            pw.GameError, match=r"sets attributes in .* as in size: int = 4, .* functools\.cached_property"
        ):
            cls()
    assert list(inspect.signature(Own).parameters) == ["size"]


def test_an_operator_of_a_position_is_refused_and_nothing_else() -> None:
    class Spot(NamedTuple):
        x: int
        y: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Spot) and self.x == other.x

        __hash__ = tuple.__hash__

    class Plain(NamedTuple):
        """Described, shown and copied like no other."""

        x: int

        def __str__(self) -> str:
            return f"at {self.x}"

    copy.copy(Plain(1))  # by which Python may add something to the class
    game: Any = RULES["Base"]()
    with pytest.raises(CannotCompile, match="Spot of its positions defines __eq__, which compiled code does not call"):
        bare_state(game, (0, Spot(1, 2)))
    assert bare_state(game, Plain(1)) == (1,)
