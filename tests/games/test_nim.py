"""Nim: Bouton's rule gives the value of every position, so rules and searches check each other."""

from __future__ import annotations

import functools
import itertools
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms.minimax import minimax
from plywise.algorithms.watch import Watcher
from plywise.games import Nim
from plywise.games.nim import Heaps
from tests.games.support import check_texts, compiled, digest
from tests.oracle import value_of

GAMES = [Nim(), Nim((2, 3), misere=True), Nim((4,)), Nim((1, 1, 1, 1)), Nim((0, 2, 0))]


def bouton(state: Heaps, misere: bool) -> int:
    """The value by the theorem of 1901."""
    wins = functools.reduce(operator.xor, state.heaps) != 0
    if misere and max(state.heaps) <= 1:
        wins = sum(state.heaps) % 2 == 0
    return pw.sign(state.turn) if wins else -pw.sign(state.turn)


@pytest.mark.parametrize("misere", [False, True])
def test_every_position_has_the_value_of_boutons_rule(misere: bool) -> None:
    game = Nim((2, 2, 3), misere)
    for heaps in itertools.product(range(3), range(3), range(4)):
        for turn in (pw.MAX, pw.MIN):
            state = Heaps(heaps, turn)
            assert compiled(minimax, game, state, 10, Watcher()) == bouton(state, misere), state


@pytest.mark.parametrize("game", [Nim((3, 4, 5)), Nim((7, 1, 6), misere=True)])
def test_solve_finds_the_value_of_boutons_rule(game: Nim) -> None:
    assert pw.solve(game).value == bouton(game.initial(), game.misere)


@pytest.mark.parametrize("game", GAMES[:2])
def test_compiled_and_interpreted_rules_agree(game: Nim) -> None:
    assert compiled(digest, game, game.initial(), 4) == digest(game, game.initial(), 4)
    assert compiled(minimax, game, game.initial(), 5, Watcher()) == value_of(game, game.initial(), 5)


@given(st.sampled_from(GAMES), st.integers(0, 10**9))
def test_texts_are_read_as_what_they_were_written_from(game: Nim, seed: int) -> None:
    check_texts(game, seed)


def test_max_is_to_move_unless_said_otherwise() -> None:
    assert Nim().parse("3,0,5") == Nim().parse(" 3,0,5  MAX ") == Heaps((3, 0, 5), pw.MAX)
    assert Nim().parse("3,0,5 min") == Heaps((3, 0, 5), pw.MIN)


def test_heaps_may_be_given_as_a_list() -> None:
    assert Nim([1, 2]) == Nim((1, 2))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a position: it needs the sizes of 3 heaps and the player to move, .* such as '3,4,5 max'"),
        ("3,4", "it needs the sizes of 3 heaps"),
        ("3,4,x", "it needs the sizes of 3 heaps"),
        ("3,4,-1", "it needs the sizes of 3 heaps"),
        ("3,4,5 black", "max or min"),
        ("3,5,5", "heap b starts with 4 and cannot grow"),
    ],
)
def test_a_wrong_position_is_explained(text: str, message: str) -> None:
    with pytest.raises(pw.PositionError, match=message):
        Nim().parse(text)


@pytest.mark.parametrize("heaps", [(), (-1,), (1.5,), (True,), (1,) * 27, "345", 3, None])
def test_heaps_that_make_no_sense_are_refused(heaps: object) -> None:
    with pytest.raises(pw.GameError, match="it needs a list of 1 to 26 heaps, each a whole number from 0"):
        Nim(heaps)  # type: ignore[arg-type]
