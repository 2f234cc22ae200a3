"""The playing search, through an engine: exact where it says so, always legal, and proven only if it is."""

from __future__ import annotations

import random
import warnings
from typing import Any, NamedTuple

import pytest

import plywise as pw
from plywise.game import Game
from plywise.games import MNK, ConnectFour, Nim, TicTacToe
from tests.engine.test_quiescence import Kind, graph
from tests.key_games import NOTHING, key_game
from tests.oracle import end_of, random_position, value_of


def test_an_exact_search_ends_at_its_depth_and_a_playing_search_goes_on_while_there_is_noise() -> None:
    """At depth 1 the capture seems to win; the opponent takes back."""
    game = graph(Kind(0, noisy=(1,), quiet=(2,)), Kind(9, noisy=(3,)), Kind(1, quiet=(3,)), Kind(-5, over=True))
    with pw.interpreted():
        exact = pw.search(game, depth=1, exact=True)
        playing = pw.search(game, depth=1, exact=False)
        blind = pw.search(game, depth=1, exact=False, quiescence=False)
    assert (exact.value, exact.move) == (9, 1) == (blind.value, blind.move)
    assert (playing.value, playing.move) == (1, 2)


def test_a_pressed_position_is_searched_a_ply_deeper() -> None:
    """The reply to move 1 is forced, and what follows it is seen."""
    game = graph(Kind(0, quiet=(1, 2)), Kind(0, noisy=(3,), pressed=True), Kind(1, quiet=(3,)), Kind(7, over=True))
    with pw.interpreted():
        seen = pw.search(game, depth=1, exact=False, quiescence=False)
        unseen = pw.search(game, depth=1, exact=False, quiescence=False, extensions=False)
    assert (seen.value, seen.move) == (7, 1)
    assert (unseen.value, unseen.move) == (1, 2)


def test_bets_never_cost_a_move_its_legality_nor_a_proof_its_truth() -> None:
    game, proofs = TicTacToe(), 0
    with pw.interpreted():
        for seed in range(6):
            state = random_position(game, seed, most_nodes=2000)
            for depth in (1, 3, 5, 9):
                result = pw.search(game, state, depth=depth, exact=False, table_mb=0.001)
                end_of(game, state, result.line)
                assert result.move == result.line[0]
                assert not result.proven or result.value == value_of(game, state), (seed, depth)
                proofs += result.proven
    assert 6 <= proofs < 24


@pytest.mark.parametrize("seed", range(6))
def test_only_the_chosen_moves_are_searched_at_the_root(seed: int) -> None:
    game = TicTacToe()
    state = random_position(game, seed, most_nodes=1000)
    moves = list(game.moves(state))
    chosen = random.Random(seed).sample(moves, min(2, len(moves)))
    choose = max if game.to_move(state) == pw.MAX else min
    with pw.interpreted():
        result = pw.search(game, state, depth=3, exact=True, moves=chosen)
    assert result.move in chosen
    assert result.value == choose(value_of(game, game.play(state, move), 2) for move in chosen)


def test_plain_python_computes_with_no_infinite_swing() -> None:
    with pw.interpreted(), warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in range(8):
            game = key_game(seed, NOTHING)  # which has no swing
            for depth in range(3, 8):
                result = pw.search(game, depth=depth, exact=False)
                assert not result.proven or result.value == value_of(game, game.initial())


def test_options_that_never_change_a_value_do_not() -> None:
    game = ConnectFour(5, 4)
    for killers in (False, True):
        engine = pw.Engine(game, killers=killers)
        for seed in range(10):
            state = random_position(game, seed, 4000)
            for depth in (2, 5):
                assert engine.search(state, depth=depth).value == value_of(game, state, depth)


def test_one_table_serves_searches_to_growing_and_shrinking_depths() -> None:
    """What a deeper search left behind must not make a shallower one see further."""
    game = TicTacToe()
    engine = pw.Engine(game)
    for seed in range(6):
        state = random_position(game, seed, 3000)
        for depth in (5, 2, 4, 1, 3):
            assert engine.search(state, depth=depth).value == value_of(game, state, depth)
        assert engine.solve(state).value == value_of(game, state)
        assert engine.search(state, seconds=0.2).value == value_of(game, state)  # ends early: proven


class Walk(NamedTuple):
    place: int
    left: int
    turn: int


class Corridor(pw.Recurrence, pw.Game):
    """A walk on a ring; each player may step either way, or, some few times, jump.  Positions recur; a repetition is
    worth ``repeated`` to Max.
    """

    size: int = 5
    jumps: int = 2
    repeated: int = 0

    def initial(self) -> Walk:
        return Walk(1, self.jumps, 0)

    def to_move(self, state: Walk) -> int:
        return state.turn

    def moves(self, state: Walk) -> Any:
        if not self.is_terminal(state):
            yield 0
            yield 1
            if state.left > 0:
                yield 2

    def play(self, state: Walk, move: int) -> Walk:
        step = 1 if move == 0 else self.size - 1 if move == 1 else 2
        return Walk((state.place + step) % self.size, state.left - (1 if move == 2 else 0), 1 - state.turn)

    def is_terminal(self, state: Walk) -> bool:
        return state.place == 0

    def score(self, state: Walk) -> int:
        return (state.left + 1) * (1 if state.turn == 1 else -1)

    def reversible(self, state: Walk) -> int:
        return 100

    def repetition(self, state: Walk) -> int:
        return self.repeated


def value_on_path(game: Any, state: Any, path: tuple[Any, ...], depth: int) -> float:
    """Minimax by its definition, where a position that is on the path already ends the game."""
    if game.is_terminal(state):
        return game.score(state)
    if state in path:
        return game.repetition(state)
    if depth == 0:
        return game.evaluate(state)
    values = [value_on_path(game, game.play(state, move), (*path, state), depth - 1) for move in game.moves(state)]
    return max(values) if state.turn == 0 else min(values)


@pytest.mark.parametrize("repeated", [0, 1, -9])
def test_repetitions_are_seen_and_the_table_does_not_lie_about_them(repeated: int) -> None:
    game = Corridor(repeated=repeated)
    engine = pw.Engine(game)
    for place in range(1, game.size):
        for left in range(game.jumps + 1):
            for turn in (0, 1):
                state = Walk(place, left, turn)
                for depth in (2, 3, 5, 8, 11):
                    assert engine.search(state, depth=depth).value == value_on_path(game, state, (), depth)
                assert engine.solve(state).value == value_on_path(game, state, (), 40)


def test_repetitions_are_seen_in_plain_python() -> None:
    game = Corridor(repeated=1)
    with pw.interpreted():
        engine = pw.Engine(game)
        for place in range(1, game.size):
            for depth in (2, 5, 8):
                state = Walk(place, 1, 0)
                assert engine.search(state, depth=depth).value == value_on_path(game, state, (), depth)


def test_positions_before_the_root_count_as_repetitions() -> None:
    game = Corridor(repeated=7)
    engine = pw.Engine(game)
    different = 0
    for place in range(1, game.size):
        for turn in (0, 1):
            before = Walk(place, 1, turn)
            for move in (0, 1, 2):
                state = game.play(before, move)
                if not game.is_terminal(state):
                    for depth in (1, 3, 6):
                        expected = value_on_path(game, state, (before,), depth)
                        assert engine.search(state, depth=depth, history=[before]).value == expected
                        different += expected != value_on_path(game, state, (), depth)
    assert different


class FastNim(pw.FastestWin, Nim):
    """Nim in which a win is worth 2000, less a point for every ply it takes."""

    win_score = 2000

    def score(self, state: Any) -> int:
        return 2000 * Nim.score(self, state)

    def bounds(self, state: Any) -> tuple[int, int]:
        return (-2000, 2000)


def value_with_distance(game: Game, state: Any, ply: int, depth: int) -> Any:
    if game.is_terminal(state):
        score = game.score(state)
        return score - ply if score > 0 else score + ply
    if depth == 0:
        return game.evaluate(state)
    values = [value_with_distance(game, game.play(state, move), ply + 1, depth - 1) for move in game.moves(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


def test_win_distances_are_counted_from_each_root() -> None:
    """One table, several roots: an entry's distance is that of its own position."""
    game = FastNim((2, 3, 1))
    engine = pw.Engine(game)
    for seed in range(15):
        state = random_position(game, seed, 4000)
        for depth in (1, 3, 5, 9):
            assert engine.search(state, depth=depth).value == value_with_distance(game, state, 0, depth)
        assert engine.solve(state).value == value_with_distance(game, state, 0, 30)


@pytest.mark.parametrize("option", ["reductions", "knowledge", "singular"])
def test_a_forced_win_is_proven_whatever_the_bets(option: str) -> None:
    options: dict[str, Any] = {option: option == "singular"}
    result = pw.search(MNK(4, 4, 3), seconds=20, **options)
    assert result.value == 1
    assert result.proven


class Hasty(pw.Tactics, Nim):
    """A game without an evaluation in which every move says that it is noisy, loses and is urgent."""

    def order(self, state: Any, move: int) -> int:
        return 1 << 40

    def gain(self, state: Any, move: int) -> int:
        return 1

    def wins_at_least(self, state: Any, move: int, amount: float) -> bool:
        return False


def test_urgent_moves_that_lose_are_put_back_once() -> None:
    """An order of any size may not make the search ask again and again."""
    with pw.interpreted():
        assert pw.Engine(Hasty()).search(nodes=200).nodes <= 300
