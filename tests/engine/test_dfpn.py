"""Df-pn gives the oracle's answer with any table size, compiled and interpreted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise as pw
from plywise.engine.dfpn import FIRST_ROWS, Solver
from plywise.games import MNK, ConnectFour, DogCatMouse, Nim, RedBlue, TicTacToe, Tree
from plywise.inputs.limits import LEAST_MB, LONGEST_LINE
from tests.algorithms.test_oracle import EVERY_GAME, EVERY_READING, READINGS, bounds
from tests.oracle import end_of, random_position, real_leaves, trees, value_of, whole_leaves

TINY, FEW_PLACES, MANY_PLACES = LEAST_MB, 1e-3, 4.0
"""Sizes of tables in megabytes."""


def check_answer(game: pw.Game, state: Any, goal: float, strict: bool, result: pw.Result) -> None:
    """The answer is the oracle's; a move is there exactly if the player to move gets its way, and gets it."""

    def holds(position: Any) -> bool:
        value = value_of(game, position)
        return bool(value > goal if strict else value >= goal)

    assert (result.bound == "lower") == holds(state)
    assert result.proven
    assert result.value == goal
    achieved = holds(state) == (game.to_move(state) == pw.MAX)
    assert (result.move is not None) == achieved
    if achieved:
        assert result.move == result.line[0]
        for end in range(1, len(result.line) + 1):
            assert holds(end_of(game, state, result.line[:end])) == holds(state)
    else:
        assert result.line == ()


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("table_mb", [TINY, FEW_PLACES, MANY_PLACES])
@given(tree=st.one_of(trees(whole_leaves), trees(real_leaves)), goal=bounds, strict=st.booleans())
@settings(max_examples=60)
def test_equals_the_oracle_on_random_trees(reading: str, table_mb: float, tree: Any, goal: float, strict: bool) -> None:
    game = Tree.from_json(tree)
    with READINGS[reading]():
        result = pw.dfpn(game, goal=goal, strict=strict, table_mb=table_mb)
    assert result.compiled == (reading == "compiled")
    check_answer(game, game.initial(), goal, strict, result)


@pytest.mark.parametrize(("title", "reading"), EVERY_READING)
def test_equals_the_oracle_on_positions_of_every_game(title: str, reading: str) -> None:
    game = EVERY_GAME[title]
    for seed in range(6):
        state = random_position(game, seed)
        exact = value_of(game, state)
        for goal in {exact - 1, exact, exact + 0.5, exact + 1, -1, 0, 1}:
            for table_mb in (TINY, FEW_PLACES, MANY_PLACES):
                strict = (seed + int(goal)) % 2 == 1
                with READINGS[reading]():
                    result = pw.dfpn(game, state, goal=goal, strict=strict, table_mb=table_mb)
                check_answer(game, state, goal, strict, result)


@pytest.mark.parametrize("reading", READINGS)
def test_the_smallest_table_still_solves_a_whole_game(reading: str) -> None:
    with READINGS[reading]():
        for goal, bound in ((0, "lower"), (1, "upper")):
            assert pw.dfpn(TicTacToe(), goal=goal, table_mb=TINY).bound == bound


def test_both_readings_visit_the_same_nodes() -> None:
    for game in (TicTacToe(), RedBlue(), Nim((2, 3, 2)), ConnectFour(4, 3)):
        compiled = pw.dfpn(game, goal=0)
        with pw.interpreted():
            interpreted = pw.dfpn(game, goal=0)
        assert (compiled.nodes, compiled.leaves, compiled.line) == (
            interpreted.nodes, interpreted.leaves, interpreted.line
        )  # fmt: skip


@pytest.mark.parametrize("reading", READINGS)
def test_positions_that_share_a_key_may_share_an_answer_but_not_a_move(reading: str) -> None:
    game = ConnectFour(4, 3)
    with READINGS[reading]():
        for goal in (-2, 0, 1):
            for seed in range(4):
                state = random_position(game, seed)
                check_answer(game, state, goal, False, pw.dfpn(game, state, goal=goal))


@pytest.mark.parametrize(
    ("game", "position", "goal"),
    [
        (TicTacToe(), None, 0),
        (TicTacToe(), None, 1),
        (MNK(4, 4, 3), None, 1),
        (ConnectFour(4, 4), None, 1),
        (ConnectFour(5, 4), "33331155", 0),
    ],
)
def test_it_visits_fewer_nodes_than_a_boolean_search(game: pw.Game, position: str | None, goal: int) -> None:
    numbers, plain = pw.dfpn(game, position, goal=goal), pw.search(game, position, algorithm="boolean", goal=goal)
    assert numbers.bound == plain.bound
    assert numbers.nodes < plain.nodes


@pytest.mark.parametrize("reading", READINGS)
def test_a_position_may_have_more_moves_than_there_are_rows(reading: str) -> None:
    game = Nim((FIRST_ROWS + 1000,))
    with READINGS[reading]():
        result = pw.dfpn(game, goal=1)
    assert result.bound == "lower"
    assert result.line_text() == [f"a{FIRST_ROWS + 1000}"]


class Steps(NamedTuple):
    left: int
    turn: int


class Walk(pw.Game):
    """One step at a time; the player who makes the last one wins."""

    length: int

    def initial(self) -> Steps:
        return Steps(self.length, pw.MAX)

    def to_move(self, state: Steps) -> int:
        return state.turn

    def moves(self, state: Steps) -> Iterator[int]:
        yield 1

    def play(self, state: Steps, move: int) -> Steps:
        return Steps(state.left - 1, 1 - state.turn)

    def is_terminal(self, state: Steps) -> bool:
        return state.left == 0

    def score(self, state: Steps) -> int:
        return 1 if state.turn == pw.MIN else -1


class Circle(Walk):
    """It never ends."""

    def play(self, state: Steps, move: int) -> Steps:
        return Steps(state.left, 1 - state.turn)


@pytest.mark.parametrize("reading", READINGS)
def test_a_long_line_is_fine_and_one_that_is_too_long_is_an_error(reading: str) -> None:
    with READINGS[reading]():
        result = pw.dfpn(Walk(LONGEST_LINE - 1), goal=1)
        assert len(result.line) == LONGEST_LINE - 1
        for endless in (Walk(LONGEST_LINE + 5), Circle(3)):
            with pytest.raises(pw.SearchError, match="did not end within"):
                pw.dfpn(endless, goal=1)


@pytest.mark.parametrize("reading", READINGS)
def test_the_clock_ends_it(reading: str) -> None:
    begin = time.perf_counter()
    with READINGS[reading](), pytest.raises(pw.SearchError, match=r"no answer within 0.2 s, after [\d,]+ nodes"):
        pw.dfpn(ConnectFour(), goal=1, seconds=0.2)
    assert time.perf_counter() - begin < 60  # compiling is not on the clock


@pytest.mark.parametrize(
    ("game", "arguments", "message"),
    [
        (DogCatMouse(), {"goal": 1}, "needs maxn"),
        (TicTacToe(), {"goal": float("nan")}, "goal=nan must be a finite number"),
        (TicTacToe(), {"goal": "1"}, "goal='1' must be a finite number"),
        (TicTacToe(), {"goal": 1, "seconds": 0}, "seconds=0 must be a number above zero"),
        (TicTacToe(), {"goal": 1, "table_mb": -1}, "table_mb=-1 must be a number of megabytes"),
        (TicTacToe(), {"goal": 1, "state": "XXX/OO./..."}, "the game is over"),
    ],
)
def test_what_makes_no_sense_is_refused(game: pw.Game, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(pw.SearchError, match=message):
        pw.dfpn(game, **arguments)


def test_a_solver_remembers() -> None:
    game = ConnectFour(4, 4)
    solver = Solver(game, goal=1)
    first, again = solver.answer(game.initial()), solver.answer(game.initial())
    assert (first.holds, first.move) == (again.holds, again.move)
    assert again.nodes == 1 < first.nodes
