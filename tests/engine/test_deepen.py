"""Searches that are stopped, that are limited to some moves, or that find several lines."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

import plywise as pw
from plywise.compiling.reading import interpreted
from plywise.engine.control import Control
from plywise.engine.engine import Engine
from plywise.game import Game, sign
from plywise.games import MNK, Chess, ConnectFour, RedBlue, TicTacToe
from tests.algorithms.test_oracle import READINGS
from tests.oracle import random_position, value_of

GAMES: dict[str, Game] = {"tic-tac-toe": TicTacToe(), "connect four": ConnectFour(5, 4), "red-blue": RedBlue()}
BIG = MNK(7, 7, 5)
"""Too large to be solved in a test."""


def values_by_move(game: Game, state: object, depth: int) -> dict[int, float]:
    """Return what every move is worth, to this depth."""
    return {move: value_of(game, game.play(state, move), depth - 1) for move in game.moves(state)}


# Told to end ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 3])
def test_a_search_is_stopped_from_another_thread(threads: int) -> None:
    engine = pw.Engine(BIG, threads=threads)
    engine.search(nodes=1)
    control = Control()
    timer = threading.Timer(0.3, control.stop)
    timer.start()
    begun = time.perf_counter()
    result = engine.search(control=control)
    assert 0.2 < time.perf_counter() - begun < 2
    assert result.move in BIG.moves(BIG.initial())
    threading.Timer(0.1, engine.stop).start()
    assert engine.search(seconds=60).seconds < 2


@pytest.mark.parametrize("reading", READINGS)
def test_a_search_that_is_stopped_before_it_begins_has_a_move(reading: str) -> None:
    control = Control()
    control.stop()
    with READINGS[reading]():
        result = pw.Engine(TicTacToe()).search("X../.O./...", control=control)
    assert (result.depth, result.move) == (1, result.line[0])


def test_a_clock_can_be_started_while_it_runs() -> None:
    engine, control = pw.Engine(BIG), Control()
    engine.search(nodes=1)
    control.stop_after(0.3)
    begun = time.perf_counter()
    engine.search(control=control)
    assert 0.2 < time.perf_counter() - begun < 2


@pytest.mark.parametrize("reading", READINGS)
def test_enough_is_asked_after_every_depth_and_nodes_are_counted_once(reading: str) -> None:
    asked: list[pw.Result] = []

    def enough(result: pw.Result) -> bool:
        asked.append(result)
        return result.depth == 3

    with READINGS[reading]():
        result = pw.Engine(BIG).search(nodes=10**9, enough=enough)
        assert [info.depth for info in asked] == [1, 2, 3]
        assert result == asked[-1]
        assert pw.search(BIG, algorithm="alphabeta", nodes=10**9, enough=lambda result: result.depth == 2).depth == 2
    assert pw.search(BIG, seconds=60, algorithm="mcts", enough=lambda result: True).seconds < 30


def test_a_depth_that_was_not_finished_changes_the_move_but_not_the_depth() -> None:
    """Whatever the limit, the move is legal, the line can be played and begins with it."""
    game = Chess()
    engine = pw.Engine(game, table_mb=1)
    start = game.parse("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4")
    for nodes in range(50, 6000, 97):
        engine.clear()
        told: list[pw.Result] = []
        result = engine.search(start, nodes=nodes, on_info=told.append)
        state = start
        for move in result.line:
            assert move in game.moves(state)
            state = game.play(state, move)
        assert result.move == result.line[0]
        assert result.depth == told[-1].depth
        assert (result.move == told[-1].move) == (result.bound == "exact")
        assert result.nodes <= nodes or result.depth == 1


# Some moves only ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("title", GAMES)
def test_only_the_given_moves_count_and_the_table_is_not_misled(title: str, reading: str) -> None:
    game = GAMES[title]
    engine = pw.Engine(game, table_mb=1)
    for seed in range(6):
        state = random_position(game, seed)
        depth = 1 + seed % 4
        values = values_by_move(game, state, depth)
        best = max if game.to_move(state) == 0 else min
        with READINGS[reading]():
            for count in range(1, len(values) + 1):
                chosen = list(values)[-count:]
                result = engine.search(state, depth=depth, moves=chosen)
                assert result.value == best(values[move] for move in chosen), (seed, chosen)
                assert result.move in chosen
            assert engine.search(state, depth=depth).value == best(values.values())


def test_moves_that_a_game_would_not_recommend_can_be_searched() -> None:
    """A search by bets looks at ``candidates`` only; who asks for another move gets it."""
    game = ConnectFour()
    state = game.parse("44556")  # X threatens to have four from 3 to 6, or from 4 to 7
    assert 0 not in game.candidates(state)
    result = pw.Engine(game).search(state, nodes=5000, moves=[0])
    assert result.move == 0
    assert result.value > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"moves": [0, 99]}, "99 is not a legal move"),
        ({"lines": 0}, "lines=0 must be a whole number"),
        ({"lines": True}, "lines=True must be a whole number"),
    ],
)
def test_wrong_wishes_are_explained(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(pw.SearchError, match=message):
        pw.search(TicTacToe(), depth=2, **arguments)


# Several lines --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("title", GAMES)
def test_the_best_lines_are_those_of_minimax(title: str, reading: str, threads: int) -> None:
    game = GAMES[title]
    engine = pw.Engine(game, table_mb=1, threads=threads)
    for seed in range(6):
        state = random_position(game, seed)
        depth, count = 1 + seed % 4, 1 + seed % 3
        values = values_by_move(game, state, depth)
        told: list[pw.Result] = []
        with READINGS[reading]():
            result = engine.search(state, depth=depth, lines=count + 1, on_info=told.append)
        assert result.lines is not None
        wanted = sorted(values.values(), key=lambda value: -sign(game.to_move(state)) * value)[: count + 1]
        assert [line.value for line in result.lines] == wanted, seed
        assert all(values[line.move] == line.value for line in result.lines)
        assert len({line.move for line in result.lines}) == len(wanted)
        assert (result.move, result.value) == (result.lines[0].move, result.lines[0].value)
        last = [info for info in told if info.depth == result.depth]
        assert [info.rank for info in last] == list(range(1, len(wanted) + 1))


def test_several_lines_that_are_interrupted_are_still_several() -> None:
    engine = pw.Engine(BIG)
    for nodes in (1, 300, 1000, 5000, 20_000):
        result = engine.search(nodes=nodes, lines=3)
        assert result.lines is not None
        assert 1 <= len(result.lines) <= 3
        assert len({line.move for line in result.lines}) == len(result.lines)


def test_bounds_are_told_before_the_value() -> None:
    """A value outside of its window is first known to be above or below it."""
    game = ConnectFour()
    bounds: list[pw.Result] = []
    values: list[pw.Result] = []
    for seed in range(30):
        state = random_position(game, seed, 200)
        bounds.clear()
        values.clear()
        pw.Engine(game, table_mb=1).search(state, depth=8, on_info=values.append, on_bound=bounds.append)
        turn = sign(game.to_move(state))
        for info in bounds:
            value = next(result.value for result in values if result.depth == info.depth)
            assert info.bound in ("lower", "upper")
            assert turn * value >= turn * info.value if info.bound == "lower" else turn * value <= turn * info.value


QUEENS = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1"
"""Captures without end: depth 1 alone takes minutes."""


@pytest.mark.parametrize("stopped_by", ["seconds", "control"])
def test_a_first_depth_that_takes_far_too_long_is_cut_short(stopped_by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.engine.control.PATIENCE", 0.3)
    game, control = Chess(), Control()
    engine = Engine(game, table_mb=1)
    limits: dict[str, Any] = {"seconds": 0.1}
    if stopped_by == "control":
        control.stop()
        limits = {"control": control}
    with interpreted():
        result = engine.search(QUEENS, lines=3, **limits)
        assert result.move in set(game.moves(result.state))
        assert result.line[0] == result.move
        assert (result.depth, result.proven) == (1, False)
        assert result.bound in ("lower", "estimate")
        assert result.nodes > 0
        later = engine.search(nodes=200)  # nothing of the stop is left behind
    assert (later.bound, later.depth > 1) == ("exact", True)


def test_without_a_finished_move_the_one_that_looks_best_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.engine.control.PATIENCE", 0.0)
    game, control = Chess(), Control()
    control.stop()
    monkeypatch.setattr(control, "begin", lambda works: [work.stop() for work in works])
    with interpreted():
        result = Engine(game, table_mb=1).search("k7/8/8/3q4/4P3/8/8/K7 w - - 0 1", control=control)
    assert game.format_move(result.state, result.move) == "e4d5"
    assert result.bound == "estimate"
