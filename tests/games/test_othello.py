"""Othello: the rules against two other programs, published counts and values, the text forms."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.bits import popcount
from plywise.games import Othello
from plywise.games.othello import FEW, Discs
from tests.games.support import check_texts, compiled, digest, random_game
from tests.own_games.othello import Discs as PlainDiscs
from tests.own_games.othello import Othello as PlainOthello

GAME = Othello()
FFO = Path(__file__).parents[3] / "shared" / "data" / "othello" / "ffo20-44.txt"
PERFT = (1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284)
"""Published counts by depth; a game that ended earlier counts once."""


class Patient(Othello):
    """Othello whose exact search uses the table and sorted moves to the end."""

    candidates, proven_bounds = Othello.candidates, Othello.proven_bounds

    def nearly_over(self, state: Discs) -> bool:
        return False


def games_of_length(game, state, depth):
    """Return how many games there are of ``depth`` plies, or fewer if they are over."""
    if depth == 0 or game.is_terminal(state):
        return 1
    count = 0
    for move in game.moves(state):
        count += games_of_length(game, game.play(state, move), depth - 1)
    return count


def values_by_minimax(game: Othello, state: Discs) -> int:
    if game.is_terminal(state):
        return game.score(state)
    values = [values_by_minimax(game, game.play(state, move)) for move in game.moves(state)]
    return max(values) if state.turn == pw.MAX else min(values)


def late(game: Othello, seed: int, empty: int) -> Discs:
    """Return a position of a random game with few empty squares; an earlier game may be over before."""
    for number in range(100):
        for state in random_game(game, 1000 * seed + number):
            if popcount(state.mine | state.theirs) == game.size**2 - empty and not game.is_terminal(state):
                return state
    raise AssertionError(seed)


# The rules -----------------------------------------------------------------------------------------------------------


def test_counts_of_games_are_the_published_ones() -> None:
    assert [games_of_length(GAME, GAME.initial(), depth) for depth in range(5)] == list(PERFT[:5])
    assert [compiled(games_of_length, GAME, GAME.initial(), depth) for depth in (9, 10)] == list(PERFT[9:])
    assert [pw.algorithms.perft(GAME, None, depth) for depth in (8, 9)] == list(PERFT[8:10])


@pytest.mark.parametrize("size", [4, 6, 8])
def test_compiled_and_interpreted_rules_agree(size: int) -> None:
    game = Othello(size, discs_only=size == 6)
    for state in random_game(game, seed=size)[::6]:
        assert compiled(digest, game, state, 2) == digest(game, state, 2)


@given(st.sampled_from([4, 6, 8]), st.integers(0, 10**9))
def test_the_rules_agree_with_those_of_a_plain_program(size: int, seed: int) -> None:
    game, plain = Othello(size, discs_only=True), PlainOthello(size, size)
    positions = random_game(game, seed)
    for state in positions:
        cells = PlainDiscs(tuple(game.piece_at(state, place) for place in range(size * size)), state.turn)
        assert game.is_terminal(state) == plain.is_terminal(cells)
        squares = list(plain.moves(cells))
        passes = [] if squares or game.is_terminal(state) else [size * size]
        assert list(game.moves(state)) == squares + passes
        assert game.count_moves(state) == len(squares + passes)
        assert sorted(game.candidates(state)) == squares + passes
        for move in squares:
            after = game.play(state, move)
            assert tuple(game.piece_at(after, place) for place in range(size * size)) == plain.play(cells, move).cells
            assert after.turn == 1 - state.turn
    assert game.score(positions[-1]) == plain.score(cells)


@pytest.mark.parametrize("seed", range(5))
def test_random_games_agree_with_open_spiel(seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the comparison needs open_spiel: pip install -e '.[bench]'")
    compare_with_open_spiel(pyspiel, seed)


def compare_with_open_spiel(pyspiel, seed: int) -> int:
    """Compare all positions of a random game; returns how many."""
    other = pyspiel.load_game("othello").new_initial_state()
    positions = random_game(GAME, seed)
    for state, after in zip(positions, [*positions[1:], None], strict=True):
        rows = str(other).splitlines()[2:10] if not other.is_terminal() else str(other).splitlines()[-9:-1]
        cells = "".join(row[2:17:2] for row in rows).upper()
        assert cells == GAME.format(state)[:64], (seed, state)
        assert other.is_terminal() == GAME.is_terminal(state)
        if after is None:
            assert other.returns()[0] == (GAME.score(state) > 0) - (GAME.score(state) < 0)
            break
        assert other.current_player() == state.turn
        assert other.legal_actions() == list(GAME.moves(state))
        played = [move for move in GAME.moves(state) if GAME.play(state, move) == after]
        other.apply_action(played[0])
    return len(positions)


def test_a_player_without_a_move_passes_and_the_game_ends_if_neither_has_one() -> None:
    game = Othello(4)
    state = game.parse("-XXX------------ X")
    assert game.is_terminal(state)
    assert list(game.moves(state)) == []
    state = game.parse("-OX------------- O")
    assert [game.format_move(state, move) for move in game.moves(state)] == ["d1"]
    state = game.parse("OOX------------- X")
    assert [game.format_move(state, move) for move in game.moves(state)] == ["pass"]
    assert game.format(game.play(state, 16)) == "OOX------------- O"


@pytest.mark.parametrize(("discs_only", "score"), [(False, 16), (True, 3)])
def test_the_winner_is_given_the_empty_squares(discs_only: bool, score: int) -> None:
    game = Othello(4, discs_only)
    assert game.score(game.parse("-XXX------------ X")) == score
    assert game.score(game.parse("-OOO------------ X")) == -score
    assert game.score(game.parse("X--------------O X")) == 0


@pytest.mark.parametrize("size", [0, 2, 3, 5, 7, 9, 10, -4, 8.0, "8"])
def test_other_boards_are_refused(size: Any) -> None:
    with pytest.raises(pw.GameError, match=r"Othello\(size=.*must be 4, 6 or 8"):
        Othello(size)


# Exact values --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("discs_only", "value"), [(False, -10), (True, -8)])
def test_the_second_player_wins_on_the_board_of_4_by_4(discs_only: bool, value: int) -> None:
    assert pw.solve(Othello(4, discs_only)).value == value


@given(st.sampled_from([False, True]), st.integers(0, 10**6))
def test_the_last_square_is_counted_as_minimax_counts_it(discs_only: bool, seed: int) -> None:
    game = Othello(4, discs_only)
    state = late(game, seed, 1)
    value = values_by_minimax(game, state)
    assert game.proven_bounds(state) == (value, value)


@given(st.sampled_from([4, 6, 8]), st.sampled_from([False, True]), st.integers(0, 10**9))
def test_proven_bounds_hold_for_every_end_and_stable_discs_stay(size: int, discs_only: bool, seed: int) -> None:
    game = Othello(size, discs_only)
    *positions, end = random_game(game, seed)
    owned = (end.mine, end.theirs) if end.turn == pw.MAX else (end.theirs, end.mine)
    for state in positions:
        low, high = game.proven_bounds(state)
        assert low <= game.score(end) <= high
        assert game.stable(state.mine) & ~owned[state.turn] == 0
        assert game.stable(state.theirs) & ~owned[1 - state.turn] == 0


def test_discs_beside_a_corner_are_stable() -> None:
    game = Othello(4)
    state = game.parse("XXX-XXO-X-O----- X")
    stable = [game.format_move(state, square) for square in range(16) if game.stable(state.mine) >> square & 1]
    assert stable == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_without_a_table_near_the_end_values_are_the_same() -> None:
    states = [late(Othello(6), seed, FEW + 3) for seed in range(10)]
    found = [[solved.value for solved in pw.Engine(game(6)).solve_many(states)] for game in (Othello, Patient)]
    assert found[0] == found[1]
    assert len(set(found[0])) > 3


def test_values_are_those_of_the_published_endgames() -> None:
    if not FFO.exists():
        pytest.skip(f"no endgame positions in {FFO}")
    engine = pw.Engine(GAME)
    for line in FFO.read_text().splitlines()[:2]:
        text, *moves = line.strip("; ").split("; ")
        scores = {move.split(":")[0].lower(): int(move.split(":")[1]) for move in moves}
        result = engine.solve(text)
        assert result.value * pw.sign(result.state.turn) == max(scores.values())
        assert scores[result.line_text()[0]] == max(scores.values())


# The estimate --------------------------------------------------------------------------------------------------------


@given(st.sampled_from([4, 6, 8]), st.integers(0, 10**9))
def test_the_estimate_is_the_same_for_both_colours_and_in_the_mirror(size: int, seed: int) -> None:
    game = Othello(size)
    for state in random_game(game, seed)[::7]:
        cells, player = game.format(state).split()
        swapped = cells.translate(str.maketrans("XO", "OX")) + (" O" if player == "X" else " X")
        assert game.evaluate(game.parse(swapped)) == -game.evaluate(state)
        assert game.evaluate(game.parse(f"{cells[::-1]} {player}")) == game.evaluate(state)
        low, high = game.bounds(state)
        assert low <= game.evaluate(state) <= high


def test_a_corner_is_worth_more_than_the_square_beside_it() -> None:
    rows = ["--------"] * 3 + ["---XO---", "---OX---"] + ["--------"] * 3
    values = [GAME.evaluate(GAME.parse("".join([first, second, *rows[2:]]) + " X"))
              for first, second in (("X-------", rows[1]), rows[:2], (rows[0], "-X------"))]  # fmt: skip
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 3


# Texts ---------------------------------------------------------------------------------------------------------------


@given(st.sampled_from([4, 6, 8]), st.integers(0, 10**9))
def test_texts_are_read_as_what_they_were_written_from(size: int, seed: int) -> None:
    check_texts(Othello(size), seed)


@given(st.sampled_from([4, 6, 8]), st.integers(0, 10**9))
def test_a_record_is_read_as_the_game_it_was_written_from(size: int, seed: int) -> None:
    game = Othello(size)
    positions = random_game(game, seed)
    moves = [next(move for move in game.moves(state) if game.play(state, move) == after)
             for state, after in pairwise(positions)]  # fmt: skip
    record = game.record(game.initial(), moves, {})
    assert record is not None
    last = game.parse(record)
    assert {last, game.play(last, size * size)} & set(positions[-2:])
    assert game.record(positions[1], moves[1:], {}) is None


def test_moves_are_read_with_or_without_spaces_and_passes() -> None:
    assert GAME.parse("F5 d6\nc3") == GAME.parse("f5d6c3")
    small = Othello(4)
    state = next(state for seed in range(99) for state in random_game(small, seed) if list(small.moves(state)) == [16])
    assert small.parse_move(state, "--") == small.parse_move(state, " PASS ") == 16


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f5f5", "wanted 64 squares .* move 2: 'f5' is not a legal move here: there is a disc already; legal are: f4"),
        ("f5F7", "move 2: 'f7' is not a legal move here: it would turn no disc; legal are: f4 d6 f6"),
        ("f5d", "move 2: 'd' is not a legal move"),
        ("pass", "move 1: 'pass' is not a legal move here: you may pass only without another move; legal are: d3"),
        ("X" * 63 + " O", "it has 63 squares; wanted 64"),
        ("X" * 63 + "Z O", "squares must be X, O or -"),
        ("X" * 64, "it has 64 squares; wanted 64 squares .* and, after a space, who is to move"),
    ],
)
def test_a_wrong_position_is_explained(text: str, message: str) -> None:
    with pytest.raises(pw.PositionError, match=message):
        GAME.parse(text)


def test_results_are_shown_in_the_words_of_players() -> None:
    game = Othello(4)
    assert [game.score_text(score) for score in (6, 0, -10)] == ["Black by 6", "equal", "White by 10"]
    assert game.ending(game.parse("-OOO------------ X")) == "16, with 3 discs to 0"
    assert game.places(game.initial(), 16) == (-1, -1)
    assert [GAME.tally(GAME.parse(moves)) for moves in ("", "f5", "f5d6")] == [
        "Black 2, White 2", "Black 4, White 1", "Black 3, White 3",
    ]  # fmt: skip
