"""Every function of ``plywise.bits`` gives the same answer compiled and interpreted, on all kinds of boards."""

from __future__ import annotations

import random

import numba
import numpy as np
import pytest

from plywise import bits

EDGES = [0, 1, 2, 3, -1, -2, 1 << 31, 1 << 32, 1 << 62, -(1 << 62), (1 << 63) - 1, -(1 << 63), -(1 << 63) + 1]
BOARDS = EDGES + [random.Random(17).getrandbits(64) - (1 << 63) for _ in range(200)]


@numba.njit
def unary(board):
    return bits.popcount(board), bits.lowest(board)


@numba.njit
def kept(board):
    return bits.signed(board), bits.signed(board & board - 1)


@numba.njit
def turned(board, distance):
    return bits.rotated(board, distance)


@numba.njit
def reversed_bits(board):
    return bits.backwards(board)


@numba.njit
def read(array, index):
    return bits.item(array, index)


@numba.njit
def shifts(board, distance):
    return bits.shift_right(board, distance), bits.shift_left(board, distance)


@numba.njit
def highest_of_product(board):
    """Two positive factors: of ``*``, the compiler would conclude that the highest bit is 0."""
    return bits.shift_right(bits.product(board & 0x0101010101010101, 0x0080402010080400), 58) << 3


@numba.njit
def replaced(items, index, value):
    return bits.with_item(items, index, value)


def test_counting_and_finding_bits() -> None:
    for board in BOARDS:
        text = format(board & (1 << 64) - 1, "064b")[::-1]
        lowest = text.index("1") if board else 64
        assert unary(board) == unary.py_func(board) == (text.count("1"), lowest), board


def test_shifts_bring_in_zeros_and_lose_what_leaves() -> None:
    for board in BOARDS:
        word = board & (1 << 64) - 1
        for distance in range(64):
            right, left = bits.signed(word >> distance), bits.signed(word << distance)
            assert shifts(board, distance) == shifts.py_func(board, distance) == (right, left), (board, distance)


def test_a_product_loses_what_does_not_fit() -> None:
    for board in BOARDS:
        word = (board & 0x0101010101010101) * 0x0080402010080400 & (1 << 64) - 1
        assert highest_of_product(board) == highest_of_product.py_func(board) == word >> 58 << 3, board


def test_the_lowest_bit_is_taken_away() -> None:
    for board in BOARDS:
        word = board & (1 << 64) - 1
        assert kept(board)[1] == bits.rest(board) == bits.signed(word & ~(word & -word)), board
        assert kept(board)[0] == board


def test_a_rotation_brings_back_what_leaves() -> None:
    for board in BOARDS:
        text = format(board & (1 << 64) - 1, "064b")
        for distance in range(-64, 65):
            around = bits.signed(int(text[distance % 64 :] + text[: distance % 64], 2))
            assert turned(board, distance) == bits.rotated(board, distance) == around, (board, distance)


def test_bits_are_reversed() -> None:
    for board in BOARDS:
        word = board & (1 << 64) - 1
        other = bits.signed(sum((word >> bit & 1) << 63 - bit for bit in range(64)))
        assert reversed_bits(board) == bits.backwards(board) == other, board


def test_items_of_an_array_are_read() -> None:
    array = np.array(BOARDS, dtype=np.int64)
    for index, board in enumerate(BOARDS):
        assert read(array, index) == bits.item(array, index) == board


def test_signed_is_what_a_register_holds() -> None:
    for board in [*BOARDS, 1 << 64, (1 << 64) - 1, 1 << 63, 3 << 70]:
        assert bits.signed(board) == int(np.array([board & (1 << 64) - 1], dtype=np.uint64).astype(np.int64)[0])


@pytest.mark.parametrize("items", [(5, -6, 7), (0.5, 1.5), (True, False, True), (9,)])
def test_an_item_is_replaced_in_a_copy(items: tuple[float, ...]) -> None:
    for index in range(len(items)):
        expected = (*items[:index], items[0], *items[index + 1 :])
        assert replaced(items, index, items[0]) == replaced.py_func(items, index, items[0]) == expected
    assert items == tuple(items)
