"""Is this a position: immutable, hashable, and of the same type as the initial one?"""

from __future__ import annotations

import contextlib
import copy
from typing import Any

import numpy as np

from plywise.game import State
from plywise.study.checks.part import Place, Subject


def is_a_position(subject: Subject, state: State, place: Place, method: str = "play") -> bool:
    """Check that what a method returned is a position: immutable, hashable, and like the initial one.

    Mistakes are reported at ``place``.
    """
    if why := _changeable(state):
        subject.found("state-immutable", f"a position must not change, but {why}", place)
        return False
    try:
        hash(state)
    except TypeError as error:
        subject.found("state-hash", f"a position must be hashable, but: {error}", place)
        return False
    shape = subject.shape if subject.interpreted_only else shape_of(state)
    if _outline(shape) != _outline(subject.shape):
        message = f"initial returns a {_outline(subject.shape)}, but {method} returns a {_outline(shape)}"
        subject.found("state-type", message, place, method)
        return False
    for name, first, now in zip(_names(state), _kinds(subject.shape), _kinds(shape), strict=False):
        if first != now:
            where = "here" if state is place.state else f"in what {method} returns"
            subject.found("field-type", f"{name} is {first} in initial() but {now} {where}", place, name)
    return True


def shape_of(state: State) -> Any:
    """Return the type of a position, with the types of its fields."""
    if isinstance(state, tuple):
        return (type(state).__name__, *map(shape_of, state))
    return type(state.item() if isinstance(state, np.generic) else state).__name__


def lasting_copy(state: State) -> State:
    """Return an independent copy of a position; None if it cannot be copied, or the copy is not equal to it."""
    with contextlib.suppress(Exception):
        again = copy.deepcopy(state)
        return again if again == state else None
    return None


def _changeable(value: Any, name: str = "it") -> str:
    """Return in words what makes a position mutable; empty if it is immutable."""
    if isinstance(value, tuple):
        return next(filter(None, map(_changeable, value, _names(value))), "")
    kind = type(value).__name__
    if isinstance(value, (list, dict, set, bytearray, np.ndarray)):
        return f"{name} is a {kind}: use a tuple, or pw.Cells"
    parameters = getattr(value, "__dataclass_params__", None)
    if parameters is not None and not parameters.frozen:
        return f"{name} is a {kind}, a dataclass that is not frozen"
    if type(value).__eq__ is object.__eq__ and value is not None:  # type: ignore[comparison-overlap]
        return f"{name} is a {kind}, which equals only itself: define __eq__ and __hash__"
    return ""


def _names(state: State) -> list[str]:
    """Return the names of a position's fields."""
    if not isinstance(state, tuple):
        return ["the position"]
    return [f"field {name}" for name in getattr(state, "_fields", range(len(state)))]


def _kinds(shape: Any) -> list[Any]:
    return list(shape[1:]) if isinstance(shape, tuple) else [shape]


def _outline(shape: Any) -> str:
    """Return a shape in words, whatever kinds of numbers are in it."""
    if not isinstance(shape, tuple):
        return "number" if shape in ("int", "float", "bool") else str(shape)
    return f"{shape[0]} of {len(shape) - 1}" + "".join(f", {_outline(s)}" for s in shape[1:] if isinstance(s, tuple))
