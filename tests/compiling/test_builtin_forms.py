"""Built-in functions and methods that Numba lacks give Python's answers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.readings import called_from_python


def backwards(n):
    total = 0
    for number in reversed(range(n)):
        total = total * 3 + number
    for number in reversed(range(1, n, 2)):
        total = total * 3 + number
    for number in reversed((1, 2, n)):
        total = total * 3 + number
    for number in reversed([1, 2, n]):
        total = total * 3 + number
    return total


def counted_bits(n):
    numbers = (1, 2, n, 2)
    return numbers.count(2), n.bit_count(), (-n).bit_count(), n.bit_length(), (-n).bit_length(), (1 << 62).bit_length()


@pytest.mark.parametrize("function", [backwards, counted_bits])
def test_built_ins_that_numba_lacks_answer_as_python_does(function: Any) -> None:
    compiled = called_from_python(function)
    for number in (0, 1, 2, 3, 4, 6, 9):
        assert compiled(number) == function(number), number
