"""Generators and generator expressions in compiled code: Python's answers, and inlined code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from numba.core.generators import GeneratorDescriptor

from plywise.compiling.native import inlined
from tests.readings import called_from_python


def any_is_lazy(n):
    return any(10 // (3 - i) > 4 for i in range(n))  # the third would divide by zero


def all_is_lazy(n):
    return all(10 // (3 - i) < 5 for i in range(n))


def expressions_nested(n):
    some = any(all(i + j < n for j in range(3) if j != 1) for i in range(n))
    return some, all(any(i + j == n for j in range(3)) for i in range(n))


def expressions_read_by_others(n):
    pairs = sum(i * j for i in range(n) for j in range(i) if j % 2)
    return (
        pairs,
        max(i * 7 % 5 for i in range(n + 1)),
        len(list(i for i in range(n))),  # noqa: C400
        len(set(i % 2 for i in range(n))),  # noqa: C401
    )


def expressions_in_conditions(n):
    if (any(i == n - 1 for i in range(n)) and not all(i for i in range(n))) or any(i > 20 for i in range(n)):
        return (True, True, False, False)
    return any((0, n)), all((n, 2, 0)), any([False, n > 2]), all([True, n > 1])


def expression_in_a_generator(n):
    for i in range(n):
        if any(j == i for j in (1, 3)):
            yield i


def generated(n):
    return [number for number in expression_in_a_generator(n)]  # noqa: C416


@pytest.mark.parametrize(
    "function",
    [
        any_is_lazy, all_is_lazy, expressions_nested, expressions_read_by_others, expressions_in_conditions, generated,
    ],
)  # fmt: skip
def test_generator_expressions_answer_as_python_does(function: Any) -> None:
    compiled = called_from_python(function)
    for number in (0, 1, 2, 3, 4, 6, 9):
        assert compiled(number) == function(number), number


def test_what_an_inlined_generator_does_next_is_inlined_too(monkeypatch: pytest.MonkeyPatch) -> None:
    made, descriptor_of = [], GeneratorDescriptor.from_generator_fndesc

    def noting(*arguments: Any) -> GeneratorDescriptor:
        made.append(descriptor_of(*arguments))
        return made[-1]

    def plain(most: int) -> Iterator[int]:
        for number in range(most):
            yield number

    @inlined
    def squares(most: int) -> Iterator[int]:
        for number in range(most):
            yield number * number

    def total(most: int) -> int:
        count = 0
        for number in plain(most):
            count += number
        for number in squares(most):
            count += number
        return count

    monkeypatch.setattr(GeneratorDescriptor, "from_generator_fndesc", staticmethod(noting))
    assert called_from_python(total)(4) == 6 + 14
    assert [bool(descriptor.inline) for descriptor in made] == [False, True]
