"""Cells: a value in Python, a block of memory in compiled code, and the same answers from both."""

from __future__ import annotations

import pickle
import random
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

import plywise as pw
from plywise.cells import LEAST, MOST, Cells
from plywise.compiling.functions import dispatcher
from plywise.compiling.pipeline import EntryCompiler
from plywise.match.rivals import translated
from plywise.proof.proof import Proof
from tests.oracle import random_position, value_of
from tests.programs import LONG, SHORT, Pair, random_cells, random_program
from tests.readings import compiled, interpreted


class Board(NamedTuple):
    cells: pw.Cells
    turn: int
    last: int


class Gomoku(pw.Game):
    """Five in a row, or as many as wanted, on a square board of any size."""

    size: int = 3
    row: int = 3

    def initial(self):
        return Board(pw.Cells([0] * self.size**2), pw.MAX, -1)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if not self.is_won(state):
            for cell in range(len(state.cells)):
                if state.cells[cell] == 0:
                    yield cell

    def play(self, state, move):
        return Board(state.cells.with_item(move, state.turn + 1), 1 - state.turn, move)

    def reach(self, state, dx, dy):
        x, y, count = state.last % self.size, state.last // self.size, 0
        stone = state.cells[state.last]
        while 0 <= x < self.size and 0 <= y < self.size and state.cells[y * self.size + x] == stone:
            x, y, count = x + dx, y + dy, count + 1
        return count

    def is_won(self, state):
        if state.last >= 0:
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if self.reach(state, dx, dy) + self.reach(state, -dx, -dy) > self.row:
                    return True
        return False

    def is_terminal(self, state):
        return self.is_won(state) or 0 not in state.cells

    def score(self, state):
        return (0 if not self.is_won(state) else -1 if state.turn == pw.MAX else 1) * (1 + state.cells.count(0))


GAME = Gomoku()


# In Python ------------------------------------------------------------------------------------------------------------


def test_cells_are_values() -> None:
    cells = Cells([1, 2, 3])
    assert cells.with_item(-1, 9) == Cells([1, 2, 9])
    assert cells == Cells((1, 2, 3))
    assert hash(cells) == hash(Cells(np.array([1, 2, 3])))
    array = cells.array()
    array[0] = 7
    assert cells[0] == 1
    assert cells.with_items(array) == Cells([7, 2, 3])
    assert pickle.loads(pickle.dumps(cells)) == cells
    assert type(pickle.loads(pickle.dumps(cells))) is Cells


@pytest.mark.parametrize("value", [LEAST - 1, MOST + 1, 0.5, 1 << 70])
def test_what_does_not_fit_into_a_cell_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="must be from -128 to 127"):
        Cells([value])
    with pytest.raises(ValueError, match="must be from -128 to 127"):
        Cells([0]).with_item(0, value)


def test_a_position_with_cells_has_a_text() -> None:
    state = GAME.play(GAME.play(GAME.initial(), 4), 0)
    assert GAME.format(state) == "2,0,0,0,1,0,0,0,0 0 0"
    again = GAME.parse(GAME.format(state))
    assert again == state
    assert type(again.cells) is Cells


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,0,0,0,0,0,0,0 0 0", "8 items, wanted 9, separated by ','"),
        ("0,0,0,x,0,0,0,0,0 0 0", "item 4 of 9: 'x' is not a whole number"),
        ("0,0,0,None,0,0,0,0,0 0 0", "item 4 of 9: 'None' is not a whole number"),
        ("0,0,0,0,0,0,0,0,-500 0 0", "item 9 of 9: a value for Cells must be from -128 to 127, not -500"),
    ],
)
def test_a_wrong_text_for_cells_is_told_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(pw.PositionError) as caught:
        GAME.parse(text)
    assert str(caught.value) == f"field cells of the position: {message}"


def test_a_position_of_nothing_but_cells_is_told_what_is_wrong_too() -> None:
    words = Bare().format(Bare().initial()).split()
    with pytest.raises(pw.PositionError, match="field 0 of the position: a value for Cells must be from -128 to 127"):
        Bare().parse(" ".join(["-500", *words[1:]]))


def test_changing_a_cell_that_is_not_there_says_so() -> None:
    assert Cells([0, 1]).with_item(-1, 5) == Cells([0, 5])
    for index in (2, -3):
        with pytest.raises(IndexError, match=f"no cell has this index: {index}, of 2 cells"):
            Cells([0, 1]).with_item(index, 1)


# Compiled code does what Python does ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [*range(12), None], ids=str)
def test_random_programs(seed: int | None) -> None:
    seed = random.randrange(10**9) if seed is None else seed
    source, program = random_program(seed)
    inner = dispatcher(program)
    enter = numba.njit(lambda short, number, long, x: inner(Pair(short, number, long), x), pipeline_class=EntryCompiler)
    chance = random.Random(seed)
    for _ in range(8):
        pair = Pair(random_cells(chance, SHORT), chance.randrange(9), random_cells(chance, LONG))
        x = chance.randrange(1000)
        assert outcome(enter, *pair, x) == outcome(program, pair, x), f"seed {seed}:\n{source}"


def outcome(function: Any, *arguments: Any) -> Any:
    """What a call returns, or the kind of what it raises: in a random program, a number may not fit into a cell."""
    try:
        return function(*arguments)
    except (IndexError, ValueError) as error:
        return type(error)


def read(game, state, index):
    return state.cells[index]


def write(game, state, index, value):
    return state.cells.with_item(index, value)[index]


def refill(game, state, values):
    return state.cells.with_items(values)[0]


@pytest.mark.parametrize("run", [compiled, interpreted])
def test_an_index_or_a_value_out_of_range_raises(run: Any) -> None:
    assert run(read, GAME, -9) == run(read, GAME, 8) == 0
    assert run(write, GAME, -1, MOST) == MOST
    assert run(write, GAME, 0, LEAST) == LEAST
    for index in (9, -10, 1 << 40):
        with pytest.raises(IndexError):
            run(read, GAME, index)
        with pytest.raises(IndexError):
            run(write, GAME, index, 0)
    for value in (MOST + 1, LEAST - 1, 1 << 40):
        with pytest.raises(ValueError):
            run(write, GAME, 0, value)
        with pytest.raises(ValueError):
            run(refill, GAME, np.full(9, value))
    with pytest.raises(ValueError, match="as many values as there are cells"):
        run(refill, GAME, np.zeros(8, dtype=np.int64))


# Every search takes them ----------------------------------------------------------------------------------------------


def test_check_finds_nothing_wrong() -> None:
    report = pw.check_game(Gomoku(), games=20)
    assert not report.findings
    assert report.comparisons > 100


@pytest.mark.parametrize("algorithm", ["minimax", "memo", "mtdf", "maxn"])
def test_algorithms(algorithm: str) -> None:
    for seed in range(6):
        state = random_position(GAME, seed)
        result = pw.search(GAME, state, algorithm=algorithm)
        assert result.compiled
        value = value_of(GAME, state)
        assert result.value == ((value, -value) if algorithm == "maxn" else value)


def test_the_engine() -> None:
    states = [random_position(GAME, seed) for seed in range(10)]
    values = [value_of(GAME, state) for state in states]
    engine = pw.Engine(GAME, table_mb=1)
    assert [engine.solve(state).value for state in states] == values
    assert [solved.value for solved in engine.solve_many(states)] == values
    limited = pw.search(GAME, depth=4)
    with pw.interpreted():
        same = pw.search(GAME, depth=4)
    assert (limited.compiled, same.compiled) == (True, False)
    assert limited.nodes == same.nodes
    assert limited.value == same.value == value_of(GAME, GAME.initial(), 4)


def test_threads() -> None:
    state = random_position(GAME, 1)
    assert pw.Engine(GAME, threads=2).solve(state).value == value_of(GAME, state)


def test_df_pn_and_proofs() -> None:
    for seed in range(4):
        state = random_position(GAME, seed)
        value = value_of(GAME, state)
        assert pw.dfpn(GAME, state, goal=value).bound == "lower"
        assert pw.dfpn(GAME, state, goal=value, strict=True).bound == "upper"
    proof = pw.solve(GAME, state, proof=True).proof
    assert isinstance(proof, Proof)
    assert pw.check_proof(proof).positions > 0


def test_monte_carlo_finds_a_win_in_one() -> None:
    state = GAME.parse("1,1,0,2,2,0,0,0,0 0 4")
    assert pw.search(GAME, state, algorithm="mcts", nodes=2000).move == 2


class Bare(pw.Game):
    """Take one from a pile; the player who takes the last one loses.  The last cell is whose turn it is."""

    def initial(self):
        return pw.Cells([2, 1, 2, 0])

    def to_move(self, state):
        return state[3]

    def moves(self, state):
        for pile in range(3):
            if state[pile] > 0:
                yield pile

    def play(self, state, move):
        return state.with_item(move, state[move] - 1).with_item(3, 1 - state[3])

    def is_terminal(self, state):
        return state[0] + state[1] + state[2] == 0

    def score(self, state):
        return 1 - 2 * state[3]


def test_a_position_may_be_nothing_but_cells() -> None:
    game = Bare()
    states = [random_position(game, seed, 40) for seed in range(5)]
    values = [value_of(game, state) for state in states]
    assert [pw.search(game, state, algorithm="memo").value for state in states] == values
    assert [solved.value for solved in pw.Engine(game).solve_many(states)] == values
    assert game.parse(game.format(states[1])) == states[1]
    assert type(translated(tuple(states[1]), states[0])) is Cells


def test_a_large_board() -> None:
    result = pw.search(Gomoku(15, 5), algorithm="minimax", depth=2)
    assert result.compiled
    assert result.nodes == 1 + 225 + 225 * 224
