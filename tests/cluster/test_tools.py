"""What a worker finds out about a part of one position: bounds that are true, whatever its path, goal and depth."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

import plywise as pw
from plywise.cluster import tools
from plywise.cluster.bench import Desk
from plywise.cluster.tools import Searcher, Solver, Tools, answer_piece
from plywise.engine.work import NOTABLE
from plywise.game import sign
from plywise.games import ConnectFour, TicTacToe
from tests.engine.test_playing_search import FastNim, value_on_path, value_with_distance
from tests.oracle import value_of


class Junction(NamedTuple):
    place: int
    turn: int


class Roundabout(pw.Recurrence, pw.Game):
    """A walk that ends only where it has been before; what that is worth depends on where."""

    size: int = 13

    def initial(self) -> Junction:
        return Junction(0, 0)

    def to_move(self, state: Junction) -> int:
        return state.turn

    def moves(self, state: Junction) -> Iterator[int]:
        yield 0
        yield 1
        yield 2

    def play(self, state: Junction, move: int) -> Junction:
        return Junction((state.place * 5 + move * 3 + state.turn) % self.size, 1 - state.turn)

    def is_terminal(self, state: Junction) -> bool:
        return False

    def score(self, state: Junction) -> int:
        return 0

    def evaluate(self, state: Junction) -> int:
        return state.place * 7 % 11 - 5

    def reversible(self, state: Junction) -> int:
        return 100

    def repetition(self, state: Junction) -> int:
        return state.place * 5 % 7 - 3

    def format(self, state: Junction) -> str:
        return f"{state.place} {state.turn}"

    def parse(self, text: str) -> Junction:
        return Junction(*map(int, text.split()))


DEPTHS: dict[pw.Game, range] = {
    ConnectFour(5, 4): range(2, 7),
    TicTacToe(): range(2, 7),
    FastNim((2, 3, 1)): range(2, 7),
    Roundabout(): range(2, 9),
}
"""Games and how far to look ahead in them."""


def value_at_the_end_of(game: pw.Game, states: list[Any], depth: int | None) -> Any:
    """Minimax for the last of some positions, each of which leads to the next, with repetitions and distances."""
    *before, state = states
    if isinstance(game, Roundabout):
        assert depth is not None
        return value_on_path(game, state, tuple(before), depth)
    if isinstance(game, FastNim):
        return value_with_distance(game, state, len(before), 99 if depth is None else depth)
    return value_of(game, state, depth)


def random_path(game: pw.Game, chance: random.Random) -> tuple[int, ...]:
    """Up to four moves, after which the game goes on and no position has recurred."""
    state, moves, seen = game.initial(), [], [game.initial()]
    for _ in range(chance.randrange(5)):
        move = chance.choice(list(game.moves(state)))
        state = game.play(state, move)
        if game.is_terminal(state) or state in seen:
            break
        moves.append(move)
        seen.append(state)
    return tuple(moves)


def tools_for(kind: type[Tools], game: pw.Game) -> Tools:
    return kind(game, 1.0, game.format(game.initial()), 1.0)


def examined(
    used: Tools, depths: range | None, count: int, report: Callable[[Any], None] = lambda message: None
) -> tuple[list[Any], int]:
    """Ask random questions; return those whose answer is no true bound, and how many positions were searched."""
    chance, desk, wrong, searched = random.Random(count), Desk(report), [], 0
    desk.tools = used
    for _ in range(count):
        path, depth = random_path(used.game, chance), None if depths is None else chance.choice(depths)
        states = used.path(path)
        true = sign(used.game.to_move(states[-1])) * value_at_the_end_of(used.game, states, depth)
        goal = true + chance.choice([-2, -1, 0, 0, 1, 1, 2])
        bound, nodes = answer_piece(desk, path, goal, depth)
        searched += nodes
        if not (goal <= bound <= true if true >= goal else true <= bound < goal):
            wrong.append((path, goal, depth, bound, true))
    return wrong, searched


@pytest.mark.parametrize("game", DEPTHS, ids=repr)
def test_searchers_answer_questions_at_any_depth(game: pw.Game) -> None:
    """With one table, which must not confuse depths or paths."""
    assert examined(tools_for(Searcher, game), DEPTHS[game], 150)[0] == []


@pytest.mark.parametrize("game", [ConnectFour(4, 4), TicTacToe()], ids=repr)
def test_solvers_answer_questions_to_the_end_of_the_game(game: pw.Game) -> None:
    assert examined(tools_for(Solver, game), None, 100)[0] == []


@pytest.mark.parametrize("game", DEPTHS, ids=repr)
def test_what_one_worker_notes_saves_another_work_and_is_true(game: pw.Game) -> None:
    notes: list[bytes] = []
    first, second = tools_for(Searcher, game), tools_for(Searcher, game)
    first.work.count[NOTABLE] = 2
    wrong, searched = examined(first, DEPTHS[game], 40, lambda message: notes.extend(message[1]))
    assert wrong == []
    second.learn(notes)
    wrong, searched_again = examined(second, DEPTHS[game], 40)
    assert wrong == []
    if not isinstance(game, Roundabout):  # there, one path's facts hardly help on another
        assert searched_again < searched


def test_a_searcher_that_forgets_the_path_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "put_on_path", lambda *arguments: None)
    assert examined(tools_for(Searcher, Roundabout()), DEPTHS[Roundabout()], 150)[0] != []
