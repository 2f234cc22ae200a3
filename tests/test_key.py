"""``Game.key`` may omit the player to move and how the board is turned; all answers stay right."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plywise as pw
from plywise.algorithms import jamboree
from plywise.algorithms.memo_table import UPPER
from plywise.engine.first_best import solve_first_best
from plywise.engine.table import NO_MOVE, bound_of, table_move
from plywise.engine.table import value_of as stored_value
from plywise.game import Game
from plywise.match.arena import USUAL, Umpire
from plywise.match.time_control import Limits
from plywise.study.check import check_game
from plywise.web.score_sheet import read_sheet
from tests.algorithms.test_oracle import SCORING, check_answer
from tests.engine import test_dfpn
from tests.engine.test_engine import check_line
from tests.key_games import BOTH, IMAGE, NOTHING, TURN, KeyGame, Spot, TakeAway, key_game
from tests.oracle import value_of

MERGES = {
    "the turn": (TURN, False), "images": (IMAGE, True), "both": (BOTH, True),
    "images without names for moves": (IMAGE, False), "both without names": (BOTH, False),
}  # fmt: skip
"""What a key leaves out, and whether the game has ``Symmetry``."""
GOALS = [(goal, strict) for goal in (-2, 0, 1) for strict in (False, True)]


@pytest.fixture(params=MERGES)
def games(request: pytest.FixtureRequest) -> Iterator[KeyGame]:
    """Random games whose key leaves something out, one after the other."""
    merges, images = MERGES[request.param]
    return (key_game(seed, merges, images=images) for seed in range(12))


def positions(game: KeyGame) -> list[Spot]:
    """Some unfinished positions: on a line of random play, and all that differ from these in what keys leave out."""
    chance, state, found = random.Random(0), game.initial(), []
    while not game.is_terminal(state):
        found += [Spot(state.node, turn, angle) for turn in (0, 1) for angle in (0, 1, 2)]
        state = game.play(state, chance.choice(list(game.moves(state))))
    return found


def values_of_moves(game: Game, state: Any, depth: int | None = None) -> dict[int, Any]:
    below = None if depth is None else depth - 1
    return {move: value_of(game, game.play(state, move), below) for move in game.moves(state)}


def test_the_games_keep_the_contract_but_for_names_of_moves(games: Iterator[KeyGame]) -> None:
    found = set()
    with pw.interpreted():
        for game in games:
            unnamed = game.merges[1] and not isinstance(game, pw.Symmetry)
            rules = {finding.rule for finding in check_game(game, games=5).findings}
            assert rules <= ({"key-moves"} if unnamed else set())
            found |= rules
    assert bool(found) == unnamed


@pytest.mark.parametrize("name", SCORING)
def test_every_algorithm_gives_the_value_and_a_line_of_this_very_position(games: Iterator[KeyGame], name: str) -> None:
    with pw.interpreted():
        for game in games:
            for depth in (None, 3):
                result = pw.search(game, algorithm=name, depth=depth, all_moves=True)
                check_answer(game, game.initial(), depth, result)
                assert result.moves == values_of_moves(game, game.initial(), depth)


def check_solving(game: KeyGame, threads: int = 1) -> None:
    """One engine, whose table remembers what it saw of all images, answers rightly about each."""
    engine = pw.Engine(game, table_mb=0.1, threads=threads)
    for state in positions(game):
        solved = engine.solve(state, all_moves=True)
        check_answer(game, state, None, solved)
        assert solved.moves == values_of_moves(game, state)


def check_hints(game: KeyGame, threads: int = 1) -> int:
    """A move in the table is a best one in every position that shares the entry; returns how many there were."""
    engine, moves = pw.Engine(game, table_mb=0.1, threads=threads), 0
    for state in positions(game):
        compiled = engine.solve(state).compiled
        entry = engine.table.find(game.key(state), 0)
        move = table_move(game, state, entry)
        if bound_of(entry) != UPPER and move != NO_MOVE:
            known = entry >> 32 if compiled else stored_value(game, entry)
            assert pw.sign(state.turn) * value_of(game, game.play(state, move)) >= known, (state, move)
            moves += 1
    return moves


@pytest.mark.parametrize("merges", [IMAGE, BOTH])
def test_a_move_in_the_table_fits_every_image(merges: tuple[int, int]) -> None:
    games = [key_game(seed, merges, images=True) for seed in range(12)]
    for threads in (1, 2):
        assert sum(check_hints(game, threads) for game in games) > 50
    with pw.interpreted():
        assert sum(map(check_hints, games)) > 50


def check_playing(game: KeyGame) -> None:
    engine = pw.Engine(game, table_mb=0.1)
    for state in positions(game):
        limited = engine.search(state, depth=4)
        assert limited.value == value_of(game, state, 4)
        check_line(game, state, limited)
    for state in positions(game):
        bet = engine.search(state, depth=12, exact=False)
        assert bet.move in game.moves(state)
        assert not bet.proven or bet.value == value_of(game, state)


def check_many(game: KeyGame) -> None:
    engine = pw.Engine(game, table_mb=0.1)
    states = positions(game)
    for all_moves in (False, True):
        for state, found in zip(states, engine.solve_many(states, all_moves=all_moves), strict=True):
            values = values_of_moves(game, state)
            assert found.value == value_of(game, state)
            assert values[found.move] == found.value
            assert found.moves == (values if all_moves else None)
    for state, found in zip(states, solve_first_best(engine, states), strict=True):
        assert found.move == next(m for m, value in values_of_moves(game, state).items() if value == found.value)


def check_goals(game: KeyGame) -> None:
    for state in positions(game)[:4]:
        for goal, strict in GOALS:
            result = pw.dfpn(game, state, goal=goal, strict=strict)
            test_dfpn.check_answer(game, state, goal, strict, result)


def test_the_engine(games: Iterator[KeyGame]) -> None:
    with pw.interpreted():
        for game in games:
            check_solving(game)
            check_playing(game)
            check_many(game)
            assert jamboree(game, depth=4, cutoff=1).value == value_of(game, game.initial(), 4)


def test_df_pn(games: Iterator[KeyGame]) -> None:
    with pw.interpreted():
        for game in games:
            check_goals(game)


def test_random_games(games: Iterator[KeyGame]) -> None:
    with pw.interpreted():
        for game in games:
            check_answer(game, game.initial(), None, pw.solve(game, algorithm="mcts"))


def test_proofs(games: Iterator[KeyGame]) -> None:
    with pw.interpreted():
        for game in games:
            for state in positions(game)[:4]:
                assert pw.check_proof(pw.solve(game, state, proof=True).proof).ends > 0


def test_files_of_positions(games: Iterator[KeyGame], tmp_path: Path) -> None:
    with pw.interpreted():
        game = next(games)
        states = positions(game)
        (tmp_path / "positions").write_text("\n".join(map(game.format, states)))
        pw.analyse(game, tmp_path / "positions", tmp_path / "results", all_moves=True, threads=1)
    _, *records = map(json.loads, (tmp_path / "results").read_text().splitlines())
    assert len(records) == len(states)
    for state, record in zip(states, records, strict=True):
        values = values_of_moves(game, state)
        assert record["value"] == value_of(game, state)
        assert {int(move): value for move, value in record["moves"].items()} == values
        assert values[int(record["move"])] == record["value"]


def test_machine_code_and_threads() -> None:
    for merges in ("the turn", "images", "both"):  # without names for moves, the rules compile to much the same
        for seed in range(6):
            game = key_game(seed, MERGES[merges][0], images=MERGES[merges][1])
            assert pw.solve(game, proof=True).compiled
            check_solving(game, threads=2)
            check_playing(game)
            check_goals(game)
            assert jamboree(game, depth=6, cutoff=1, threads=2).value == value_of(game, game.initial(), 6)
            for name in ("memo", "mtdf"):
                check_answer(game, game.initial(), None, pw.search(game, algorithm=name))


def test_take_away() -> None:
    with pw.interpreted():
        for size in (7, 8, 9):
            game = TakeAway(size)
            value = -1 if size % 4 == 0 else 1
            assert pw.dfpn(game, goal=1).bound == ("lower" if value == 1 else "upper")
            result = pw.solve(game, proof=True)
            assert result.value == value
            assert pw.check_proof(result.proof).ends > 0


# Positions that recur ------------------------------------------------------------------------------------------------


def value_with_repetition(game: Game, state: Any, depth: int, path: tuple[Any, ...] = ()) -> Any:
    """Minimax by its definition, of a game in which a position on the path to it ends the game."""
    if game.is_terminal(state):
        return game.score(state)
    if state in path:
        return game.repetition(state)
    if depth == 0:
        return game.evaluate(state)
    children = [game.play(state, move) for move in game.moves(state)]
    values = [value_with_repetition(game, child, depth - 1, (*path, state)) for child in children]
    return max(values) if game.to_move(state) == pw.MAX else min(values)


@pytest.mark.parametrize("merges", [NOTHING, TURN])
def test_a_position_recurs_only_if_the_same_player_moves(merges: tuple[int, int]) -> None:
    with pw.interpreted():
        for seed in range(25):
            game = key_game(seed, merges, loops=True)
            start = game.initial()
            for depth in (3, 6):
                result = pw.search(game, depth=depth, all_moves=True)
                assert result.value == value_with_repetition(game, start, depth), (seed, depth)
                for move, value in (result.moves or {}).items():
                    child = game.play(start, move)
                    assert value == value_with_repetition(game, child, depth - 1, (start,)), (seed, depth, move)
                    if not game.is_terminal(child) and child != start:
                        later = pw.search(game, child, depth=depth, history=[start])
                        assert later.value == value_with_repetition(game, child, depth, (start,)), (seed, depth, move)
                assert jamboree(game, depth=depth, cutoff=1).value == result.value, (seed, depth)


class Ring(NamedTuple):
    place: int
    turn: int


class Round(pw.Recurrence, pw.Game):
    """Two players step around three places, so that after one round the other player is to move."""

    def initial(self):
        return Ring(0, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        yield 1

    def play(self, state, move):
        return Ring((state.place + move) % 3, 1 - state.turn)

    def is_terminal(self, state):
        return False

    def score(self, state):
        return 0

    def key(self, state):
        return state.place

    def reversible(self, state):
        return 100


def test_an_umpire_and_a_sheet_tell_positions_apart_by_who_moves() -> None:
    game = Round()
    umpire = Umpire(game, USUAL, [Limits(nodes=1), Limits(nodes=1)], game.initial())
    for plies in range(6):
        assert not umpire.over(), plies
        assert read_sheet(game, None, ["1"] * plies).over is None
        umpire.play(1)
    assert umpire.over()
    assert umpire.played.reason == "repetition"
    assert read_sheet(game, None, ["1"] * 6).over is not None
