"""Kalah: the rules beside OpenSpiel's, the known values of small boards, and the text forms."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.games import Kalah
from plywise.games.kalah import Rows
from tests.cli.support import plywise
from tests.games.support import check_texts, compiled, digest, random_game

DATA = Path(__file__).parents[3] / "shared" / "data" / "known_values.json"
SIZES = [(6, 4), (1, 1), (2, 9), (3, 21), (7, 9)]


def known_values() -> Iterator[tuple[int, int, int]]:
    """The number of pits and stones, and the value, of all boards with known values."""
    table = json.loads(DATA.read_text())["kalah_empty_capture_margin_first_player"]
    for pits in range(2, 7):
        for stones, value in enumerate(table[f"m{pits}"], 1):
            if value is not None:
                yield pits, stones, value


def test_small_boards_have_the_known_values() -> None:
    if not DATA.exists():
        pytest.skip(f"no known values in {DATA}")
    small = [(pits, stones, value) for pits, stones, value in known_values() if pits * stones <= 15]
    assert len(small) == 19
    for pits, stones, value in small:
        assert pw.solve(Kalah(pits, stones)).value == value, (pits, stones)


@pytest.mark.parametrize("rules", [(True, True), (False, True), (True, False)])
def test_solving_agrees_with_plain_minimax(rules: tuple[bool, bool]) -> None:
    game = Kalah(2, 3, *rules)
    assert pw.solve(game).value == pw.search(game, algorithm="memo").value


@pytest.mark.parametrize("size", [(6, 4), (3, 21)])
def test_compiled_and_interpreted_rules_agree(size: tuple[int, int]) -> None:
    game = Kalah(*size)
    for state in random_game(game, seed=1)[::10]:
        assert compiled(digest, game, state, 3) == digest(game, state, 3)


def sown_by_hand(game: Kalah, holes: list[int], pit: int) -> tuple[list[int], bool]:
    """Return the holes after a move, and whether the same player moves again.  They are the own pits, the own store,
    the other pits and the other store.
    """
    pits, holes, hole = game.pits, holes.copy(), pit
    hand, holes[pit] = holes[pit], 0
    while hand:
        hole = (hole + 1) % (2 * pits + 1)
        holes[hole] += 1
        hand -= 1
    opposite = 2 * pits - hole
    if hole < pits and holes[hole] == 1 and (game.empty_capture or holes[opposite]):
        holes[pits] += 1 + holes[opposite]
        holes[hole] = holes[opposite] = 0
    return holes, hole == pits


def holes_of(game: Kalah, state: Rows) -> list[int]:
    """Return the holes, those of the player to move first."""
    rows = [[int(count) for count in row.split(",")] for row in game.format(state).split()[0].split("/")]
    return rows[state.turn] + rows[1 - state.turn]


@given(st.sampled_from(SIZES), st.booleans(), st.integers(0, 10**9))
def test_stones_are_sown_one_by_one(size: tuple[int, int], empty_capture: bool, seed: int) -> None:
    game = Kalah(*size, empty_capture)
    for state in random_game(game, seed)[:-1]:
        for move in game.moves(state):
            holes, again = sown_by_hand(game, holes_of(game, state), move)
            after = game.play(state, move)
            assert after.turn == (state.turn if again else 1 - state.turn)
            assert holes_of(game, after) == (holes if again else holes[game.pits + 1 :] + holes[: game.pits + 1])


def test_a_last_stone_in_an_own_empty_pit_captures() -> None:
    game, other = Kalah(3, 2), Kalah(3, 2, empty_capture=False)
    full, empty = "1,0,2,1/3,4,0,1 S", "1,0,2,1/3,0,4,1 S"
    assert game.format(game.play(game.parse(full), 0)) == "0,0,2,6/3,0,0,1 N"
    assert other.format(other.play(other.parse(full), 0)) == "0,0,2,6/3,0,0,1 N"
    assert game.format(game.play(game.parse(empty), 0)) == "0,0,2,2/3,0,4,1 N"
    assert other.format(other.play(other.parse(empty), 0)) == "0,1,2,1/3,0,4,1 N"


def test_stones_left_at_the_end_go_to_their_side_or_count_for_nobody() -> None:
    end = "0,0,0,5/3,0,1,3 N"
    assert Kalah(3, 2).is_terminal(Kalah(3, 2).parse(end))
    assert Kalah(3, 2).score(Kalah(3, 2).parse(end)) == -2
    assert Kalah(3, 2, sweep=False).score(Kalah(3, 2).parse(end)) == 2
    assert [Kalah(3, 2, sweep=sweep).ending(Kalah(3, 2).parse(end)) for sweep in (True, False)] == [
        "7 stones to 5", "5 stones to 3",
    ]  # fmt: skip


def spiel_board(state: Any) -> list[int]:
    """Return South's holes and North's of a position of OpenSpiel, whose first hole is North's store."""
    board = [int(count) for count in state.observation_tensor(0)[:14]]
    return board[1:] + board[:1]


def test_random_games_go_as_in_open_spiel() -> None:
    """Its rules are those without empty captures; only the sign of the margin counts there."""
    pyspiel = pytest.importorskip("pyspiel")
    game, chance = Kalah(empty_capture=False), random.Random(1)
    for _ in range(20):
        theirs, ours = pyspiel.load_game("mancala").new_initial_state(), game.initial()
        while not theirs.is_terminal():
            assert theirs.current_player() == ours.turn
            moves = list(game.moves(ours))
            assert theirs.legal_actions() == [1 + move + 7 * ours.turn for move in moves]
            move = chance.choice(moves)
            theirs.apply_action(1 + move + 7 * ours.turn)
            ours = game.play(ours, move)
            holes = holes_of(game, ours)
            assert spiel_board(theirs) == (holes if ours.turn == pw.MAX else holes[7:] + holes[:7])
        assert game.is_terminal(ours)
        score = game.score(ours)
        assert theirs.returns()[0] == (score > 0) - (score < 0)


@given(st.integers(0, 10**9))
def test_bounds_hold_for_every_end(seed: int) -> None:
    game = Kalah(3, 3)
    *positions, end = random_game(game, seed)
    assert game.bounds(end) == game.proven_bounds(end) == (game.score(end), game.score(end))
    for state in positions:
        low, high = game.bounds(state)
        assert low <= game.score(end) <= high


@pytest.mark.parametrize("rules", [(2, 2), (3, 1), (3, 2), (2, 3, False), (3, 2, True, False)])
def test_proven_bounds_hold_for_every_value(rules: tuple[Any, ...]) -> None:
    game, narrower = Kalah(*rules), 0
    values: dict[Rows, int] = {}

    def value(state: Rows) -> int:
        if state not in values:
            worth = [value(game.play(state, move)) for move in game.moves(state)]
            values[state] = (max, min)[state.turn](worth) if worth else game.score(state)
        return values[state]

    value(game.initial())
    for state, exact in values.items():
        low, high = game.proven_bounds(state)
        assert low <= exact <= high, game.format(state)
        narrower += (low, high) != game.bounds(state)
    assert narrower > 0


@pytest.mark.parametrize(
    ("row", "moves"), [("4,4,4,4,4,4", 1), ("0,0,0,0,2,1", 3), ("6,0,0,0,0,0", 2), ("0,7,0,0,0,0", 0)]
)
def test_extra_moves_are_counted_from_the_store(row: str, moves: int) -> None:
    game = Kalah()
    rest = 42 - sum(map(int, row.split(",")))
    state = game.parse(f"{row},{rest}/1,1,1,1,1,1,0 S")
    assert game.extra_moves(state.mine) == moves
    for _ in range(moves):
        state = game.play(state, max(move for move in game.moves(state) if game.play(state, move).turn == state.turn))


@given(st.sampled_from(SIZES), st.integers(0, 10**9))
def test_texts_are_read_as_what_they_were_written_from(size: tuple[int, int], seed: int) -> None:
    check_texts(Kalah(*size), seed)


def test_moves_are_pits_in_either_case() -> None:
    game = Kalah()
    south, north = game.initial(), game.play(game.initial(), 0)
    assert [game.parse_move(south, text) for text in ("C", "c")] == [2, 2]
    assert [game.parse_move(north, text) for text in ("F", "f")] == [5, 5]
    state = game.parse("0,4,4,4,4,4,4/4,4,4,4,4,4,0 S")
    for text, why in (("A", "pit A is empty"), ("a", "pit a is North's")):
        with pytest.raises(pw.PositionError, match=f"'{text}' is not a legal move here: {why}; legal are: B C D E F"):
            game.parse_move(state, text)
    assert [game.why_illegal(state, text) for text in ("", "AB", "G", "g")] == [""] * 4


def test_a_game_is_recorded_as_its_moves_which_are_a_position() -> None:
    game = Kalah()
    states = random_game(game, 1)
    moves = [next(m for m in game.moves(a) if game.play(a, m) == b) for a, b in pairwise(states)]
    record = game.record(game.initial(), moves, {})
    assert record is not None
    assert record.isascii()
    assert game.parse(record) == states[-1]
    assert game.parse("c F b") == game.parse("CFb") == game.play(game.play(game.play(game.initial(), 2), 5), 1)
    assert game.parse("") == game.initial()
    assert game.record(states[1], moves[1:], {}) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4,4,4,4,4,4,0", "it needs 6 pits and the store of each player"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,0 S", "such as '4,4,4,4,4,4,0/4,4,4,4,4,4,0 S'"),
        ("4,4,4,4,4,x,0/4,4,4,4,4,4,0 S", "it needs 6 pits"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 W", "the player to move, S or N"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,999 N", r"it has 1047 stones, but Kalah\(.*\) has 48"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,3,0 S", "it has 47 stones"),
        ("CC", "'CC' is not a position: move 2: 'C' is not a legal move here: pit C is empty; legal are: A B D E F"),
        ("9" * 5000 + ",4,4,4,4,4,0/4,4,4,4,4,4,0 S", "it needs 6 pits"),
    ],
)
def test_a_wrong_position_is_explained(text: str, message: str) -> None:
    with pytest.raises(pw.PositionError, match=message):
        Kalah().parse(text)


@pytest.mark.parametrize("size", [(0, 4), (6, 0), (8, 1), (6, 11), (-1, -1)])
def test_a_board_that_does_not_fit_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(pw.GameError, match=r"Kalah\(.*1 to 7 pits"):
        Kalah(*size)


@pytest.mark.parametrize("size", [(2.5, 4), (6, 4.0), ("6", 4), (True, 1)])
def test_sizes_are_whole_numbers(size: tuple[Any, Any]) -> None:
    with pytest.raises(pw.GameError, match=r"Kalah\(.*pits and stones must be whole numbers"):
        Kalah(*size)


def test_scores_and_endings_have_words() -> None:
    game = Kalah()
    assert [game.score_text(score) for score in (10, -1, 0)] == ["South by 10 stones", "North by 1 stone", "equal"]
    assert game.ending(game.parse("0,0,0,0,0,0,24/0,0,0,0,0,0,24 S")) == ""


def test_a_game_is_played_to_the_end_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pw.interpreted():
        answer = plywise(capsys, "play", "kalah:3,2", "--side", "none", "--depth", "3")
    assert (answer.code, answer.err) == (0, "")
    assert re.search(r"(South|North) wins by \d+ stones to \d+\.$|A draw\.$", answer.out.rstrip())
