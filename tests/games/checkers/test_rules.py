"""Checkers: the rules, against published counts, a plain implementation, pydraughts and OpenSpiel."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from plywise.algorithms.perft import perft
from plywise.algorithms.watch import Watcher
from plywise.games import Checkers
from plywise.games.checkers import Position
from plywise.games.checkers.board import BOARD, CROWNING, SQUARES, bit_of, place_of, sides
from plywise.games.checkers.moves import CAPTURE, source_of, taken_by, target_of
from tests.games.support import compiled, digest, random_game

GAME = Checkers()
BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
KNOWN = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]
"""Sequences of moves (Bik; OEIS A133046)."""


def test_counts_of_move_sequences_are_the_known_ones() -> None:
    assert [compiled(perft, GAME, GAME.initial(), depth, Watcher()) for depth in range(1, 10)] == KNOWN
    assert [perft(GAME, GAME.initial(), depth, Watcher()) for depth in range(1, 5)] == KNOWN[:4]


def test_compiled_and_interpreted_rules_agree() -> None:
    for state in [*random_game(GAME, seed=1)[::9], *strewn(seed=2, count=5)]:
        assert compiled(digest, GAME, state, 3) == digest(GAME, state, 3)


# Against other implementations ----------------------------------------------------------------------------------------


def strewn(seed: int, count: int) -> Iterator[Position]:
    """Yield positions with many kings here and there, most of which no game reaches."""
    chance = random.Random(seed)
    while count:
        black, white = (sum(bit_of(square) for square in chance.sample(range(1, SQUARES + 1), 9)) for _ in range(2))
        white &= ~black
        kings = chance.getrandbits(35) | black & CROWNING[0] | white & CROWNING[1]
        state = Position(black, white, kings & (black | white), chance.randrange(2), 0)
        if not GAME.is_terminal(state):
            count -= 1
            yield state


def plain_moves(state: Position) -> set[tuple[int, int, frozenset[int]]]:
    """Return the first and the last place of each move and the places it clears, found cell by cell."""
    mine, theirs = ({place_of(s) for s in range(1, 33) if side & bit_of(s)} for side in sides(state))
    kings = {place_of(s) for s in range(1, 33) if state.kings & bit_of(s)}

    def directions(source: int) -> list[tuple[int, int]]:
        rows = (-1, 1) if source in kings else (-1,) if state.turn else (1,)
        return [(row, column) for row in rows for column in (-1, 1)]

    def neighbour(place: int, row: int, column: int) -> int | None:
        r, c = place // 8 + row, place % 8 + column
        return 8 * r + c if 0 <= r < 8 and 0 <= c < 8 else None

    def jumps(source: int, at: int, gone: frozenset[int]) -> Iterator[tuple[int, int, frozenset[int]]]:
        stuck = True
        for row, column in directions(source):
            over, to = neighbour(at, row, column), neighbour(at, 2 * row, 2 * column)
            free = to is not None and (to == source or to not in mine | theirs)
            if over in theirs - gone and free:
                assert over is not None
                assert to is not None
                stuck = False
                yield from jumps(source, to, gone | {over})
        if stuck and gone:
            yield source, at, gone

    captures = {move for source in mine for move in jumps(source, source, frozenset())}
    steps = {
        (source, to, frozenset[int]())
        for source in mine
        for row, column in directions(source)
        if (to := neighbour(source, row, column)) is not None and to not in mine | theirs
    }
    return captures or steps


def as_places(board: int) -> frozenset[int]:
    return frozenset(place_of(square) for square in range(1, SQUARES + 1) if board & bit_of(square))


@pytest.mark.parametrize("seed", range(3))
def test_moves_are_those_found_cell_by_cell(seed: int) -> None:
    circles = 0
    for state in [*strewn(seed, 1000), *random_game(GAME, seed)[:-1]]:
        moves = list(GAME.moves(state))
        assert all(0 <= move < (1 << 16) - 1 for move in moves)
        ends = [(*as_places(source_of(move)), *as_places(target_of(move))) for move in moves]
        found = [(*both, as_places(taken_by(move))) for both, move in zip(ends, moves, strict=True)]
        assert len(set(found)) == len(found) == GAME.count_moves(state)
        assert set(found) == plain_moves(state), GAME.format(state)
        circles += sum(source == target for source, target, _ in found)
    assert circles


@pytest.mark.parametrize(("module", "compare"), [("draughts", "compare_pydraughts"), ("pyspiel", "compare_openspiel")])
def test_positions_have_the_moves_of_other_programs(module: str, compare: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(module, reason=f"{module} is not installed")
    monkeypatch.syspath_prepend(BENCHMARKS)
    found = getattr(importlib.import_module("checkers"), compare)(200, seed=3)
    assert (found["positions"], found["differences"]) == (200, 0)


# Rule by rule ---------------------------------------------------------------------------------------------------------


def texts(position: str) -> set[str]:
    state = GAME.parse(position)
    return {GAME.format_move(state, move) for move in GAME.moves(state)}


def test_a_capture_is_forced_and_goes_on_as_long_as_it_can() -> None:
    assert texts("B:W18,26:B15,1") == {"15x22x31"}


def test_the_longest_capture_is_not_forced() -> None:
    assert texts("B:W18,26,27:B15,24") == {"15x22x31", "24x31"}


def test_a_man_that_is_crowned_stops() -> None:
    assert texts("B:W26,27,18:B22") == {"22x31"}
    state = GAME.parse("B:W26,27:B22")
    assert GAME.format(GAME.play(state, next(iter(GAME.moves(state))))) == "W:W27:BK31"


def test_a_king_goes_and_captures_backwards_one_square_at_a_time() -> None:
    assert texts("B:W32:BK18") == {"18-14", "18-15", "18-22", "18-23"}
    assert texts("B:W14:BK18,28") == {"18x9"}
    assert texts("B:W9:BK23") == {"23-18", "23-19", "23-26", "23-27"}


def test_a_king_may_end_where_it_began() -> None:
    state = GAME.parse("B:W7,8,15,16:BK3")
    (move,) = GAME.moves(state)
    assert source_of(move) == target_of(move)
    assert GAME.format(GAME.play(state, move)) == "W:W:BK3"
    assert GAME.places(state, move) == (place_of(3), -1)


def test_the_player_without_a_move_loses() -> None:
    blocked, taken = GAME.parse("B:W25,30,22:B21"), GAME.parse("W:W:B1")
    assert [GAME.is_terminal(state) for state in (blocked, taken)] == [True, True]
    assert (GAME.score(blocked), GAME.score(taken)) == (-30_000, 30_000)
    assert (GAME.ending(blocked), GAME.ending(taken)) == ("no moves left", "all pieces taken")


def test_forty_moves_without_progress_are_a_draw() -> None:
    state = GAME.parse("B:WK32:BK1:H79")
    assert not GAME.is_terminal(state)
    drawn = GAME.play(state, GAME.parse_move(state, "1-5"))
    assert GAME.is_terminal(drawn)
    assert (list(GAME.moves(drawn)), GAME.count_moves(drawn), GAME.score(drawn)) == ([], 0, 0)
    assert GAME.ending(drawn) == "forty moves without progress"


def test_captures_and_men_make_progress() -> None:
    for pieces, move, clock in (("WK32:BK1", "1-5", 8), ("WK32:BK1,9", "9-13", 0), ("W6:BK1", "1x10", 0)):
        state = GAME.parse(f"B:{pieces}:H7")
        assert GAME.play(state, GAME.parse_move(state, move)).clock == clock


def test_both_sides_are_worth_the_same() -> None:
    """Turning the board and exchanging the colours negates both evaluations."""
    for state in [*strewn(seed=5, count=50), *random_game(GAME, seed=5)]:
        black, white, kings = (int(f"{board:035b}"[::-1], 2) for board in (state.white, state.black, state.kings))
        assert (black | white) & ~BOARD == 0
        other = Position(black, white, kings, 1 - state.turn, state.clock)
        for game in (GAME, Checkers(share=True)):
            assert game.evaluate(other) == -game.evaluate(state)


def test_the_share_of_the_pieces_is_that_of_the_course() -> None:
    game = Checkers(share=True)
    assert game.evaluate(game.initial()) == 0
    assert game.evaluate(game.parse("B:W32:B1,2,K3")) == 2400 * 3 // 4 - 2400 * 1 // 4
    assert game.whole_scores()


def test_a_capture_may_be_seen_by_a_search() -> None:
    state = GAME.parse("B:W18,K26:B15,1")
    (move,) = GAME.noisy_moves(state)
    assert move & CAPTURE
    assert (GAME.gain(state, move), GAME.extension(state)) == (235, 1)
    assert GAME.extension(GAME.initial()) == 0
