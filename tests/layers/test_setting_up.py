"""Positions set up by hand: by a game's own method, or in a way that is found by experiment."""

from __future__ import annotations

import random
from functools import cached_property
from typing import Any, NamedTuple

import pytest

import plywise as pw
from plywise.bits import with_item
from plywise.games import catalogue
from plywise.layers.set_up_found import inferred
from plywise.layers.setting_up import can_set_up, may_set_up, set_up
from plywise.layers.view import cells_of
from tests.own_games.gomoku import Gomoku
from tests.own_games.othello import Othello

EDITABLE = ["checkers", "chess", "connect-four", "go", "mnk", "othello", "tic-tac-toe"]


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    with pw.interpreted():
        yield


class Board(NamedTuple):
    cells: Any
    turn: int


class Noughts(pw.View, pw.Game):
    """Tic-tac-toe as a newcomer writes it; ``Signed`` and others hold the same board in other ways."""

    layout = pw.Grid(3, 3, left="321", bottom="abc")
    pieces = (pw.Piece("x"), pw.Piece("o"))

    @cached_property
    def empty(self) -> Any:
        return (0,) * 9

    def initial(self) -> Board:
        return Board(self.empty, pw.MAX)

    def to_move(self, state: Board) -> int:
        return state.turn

    def moves(self, state: Board) -> Any:
        for cell in range(9):
            if state.cells[cell] == 0:
                yield cell

    def play(self, state: Board, move: int) -> Board:
        return Board(with_item(state.cells, move, 1 + state.turn), 1 - state.turn)

    def is_terminal(self, state: Board) -> bool:
        return 0 not in state.cells

    def score(self, state: Board) -> int:
        return 0

    def piece_at(self, state: Board, place: int) -> int:
        return int(state.cells[place])


class InCells(Noughts):
    @cached_property
    def empty(self) -> Any:
        return pw.Cells([0] * 9)

    def play(self, state: Board, move: int) -> Board:
        return Board(state.cells.with_item(move, 1 + state.turn), 1 - state.turn)


class Signed(Noughts):
    def play(self, state: Board, move: int) -> Board:
        return Board(with_item(state.cells, move, 1 - 2 * state.turn), 1 - state.turn)

    def piece_at(self, state: Board, place: int) -> int:
        return {0: 0, 1: 1, -1: 2}[state.cells[place]]


class Counted(NamedTuple):
    cells: Any
    turn: int
    plies: int


class WithCount(Noughts):
    """The number of plies is not on the board."""

    def initial(self) -> Counted:  # type: ignore[override]
        return Counted((0,) * 9, 0, 0)

    def play(self, state: Any, move: int) -> Any:
        return Counted(with_item(state.cells, move, 1 + state.turn), 1 - state.turn, state.plies + 1)


@pytest.mark.parametrize("game", [Noughts(), InCells(), Signed(), Othello(), pw.games.TicTacToe()], ids=repr)
def test_a_way_is_found_for_simple_games(game: pw.Game) -> None:
    way = inferred(game)
    assert way is not None
    chance, size = random.Random(1), game.layout.size
    for _ in range(50):
        cells = [chance.randrange(3) for _ in range(size)]
        for player in (0, 1):
            state = way.state(game, cells, player)
            assert (list(cells_of(game, state)), game.to_move(state)) == (cells, player)
            assert type(state) is type(game.initial())


@pytest.mark.parametrize("game", [WithCount(), Gomoku(), pw.games.Chess(), pw.games.ConnectFour()], ids=repr)
def test_no_way_is_found_where_the_board_is_not_all(game: pw.Game) -> None:
    assert inferred(game) is None
    place: Any = pw.View.set_up if can_set_up(game) else set_up
    with pytest.raises(pw.PositionError, match=r"must define set_up|cannot be set up"):
        place(game, cells_of(game, game.initial()), 0)


def test_the_games_with_squares_can_be_set_up() -> None:
    for asked in (can_set_up, may_set_up):
        assert [name for name, made in catalogue().items() if asked(made())] == EDITABLE


@pytest.mark.parametrize("name", EDITABLE)
def test_every_board_that_is_reached_can_be_set_up(name: str) -> None:
    game: Any = catalogue()[name]()
    chance = random.Random(name)
    state = game.initial()
    for _ in range(30):
        if game.is_terminal(state):
            break
        again = set_up(game, cells_of(game, state), game.to_move(state))
        assert cells_of(game, again) == cells_of(game, state)
        assert game.parse(game.format(again)) == again
        state = game.play(state, chance.choice(list(game.moves(state))))


def test_kings_and_rooks_at_home_may_castle() -> None:
    game = pw.games.Chess()
    state = game.parse("r3k2r/8/8/8/8/8/8/R3KR2 w - - 7 20")
    assert game.format(set_up(game, cells_of(game, state), 1)) == "r3k2r/8/8/8/8/8/8/R3KR2 b Qkq - 0 1"
