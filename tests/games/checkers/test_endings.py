"""Checkers: tables of all positions with few pieces, and a search that uses one."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest

import plywise as pw
from plywise.games import Checkers
from plywise.games.checkers.endings import endings

GAME = Checkers()


def count(men: int, kings: int, other_men: int, other_kings: int) -> int:
    """Return in how many ways the pieces of two sides can stand; no man stands where it would be crowned."""
    ways = 0
    for shared in range(men + 1):  # men of the first side on the last row of the other side's men
        first = comb(4, shared) * comb(24, men - shared)
        ways += first * comb(28 - (men - shared), other_men)
    free = 32 - men - other_men
    return ways * comb(free, kings) * comb(free - kings, other_kings)


@pytest.mark.parametrize("pieces", [2, 3])
def test_endings_are_all_positions_with_so_many_pieces(pieces: int) -> None:
    found = list(endings(pieces))
    kinds = [
        (men, black - men, white_men, pieces - black - white_men)
        for black in range(1, pieces)
        for men in range(black + 1)
        for white_men in range(pieces - black + 1)
    ]
    assert len(found) == len(set(found)) == 2 * sum(count(*kind) for kind in kinds)
    assert all(GAME.parse(GAME.format(state)) == state for state in found[::97])


@pytest.fixture(scope="module")
def table() -> pw.tables.Table:
    return pw.tabulate(GAME, pieces=2)


def test_a_table_of_two_pieces_knows_who_wins(table: pw.tables.Table) -> None:
    assert len(table) == 7_080
    assert (table["B:WK32:BK1"].value, table["B:WK32:BK1"].distance) == (0, None)
    # The opposition: White must leave the single corner and is captured, or Black must make way.
    assert (table["W:WK29:BK22"].value, table["W:WK29:BK22"].distance) == (29_998, 2)
    assert table["B:WK29:BK22"].value == 0
    summary = table.summary
    assert summary.won == summary.lost
    assert summary.longest_win == 13


def test_a_search_ends_where_the_table_begins(table: pw.tables.Table) -> None:
    found = pw.Engine(GAME, endings=table).search("W:WK3:BK8,9", depth=1)
    assert found.value == -29_987  # a win in 13 plies, seen after one


def test_a_game_without_endings_is_refused() -> None:
    with pytest.raises(pw.SearchError, match=r"Nim.* has no endings with at most 3 pieces"):
        pw.tabulate(pw.games.Nim(), pieces=3)
    with pytest.raises(pw.SearchError, match="not from both"):
        pw.tabulate(GAME, "B:WK32:BK1", pieces=2)


@pytest.mark.parametrize("pieces", [0, -1, 2.5, "2", True])
def test_pieces_are_a_whole_number(pieces: Any) -> None:
    with pytest.raises(pw.SearchError, match=r"pieces=.* must be a whole number from 1 up"):
        pw.tabulate(GAME, pieces=pieces)


def test_one_piece_is_no_ending() -> None:
    with pytest.raises(pw.SearchError, match=r"has no endings with at most 1 pieces$"):
        pw.tabulate(GAME, pieces=1)
