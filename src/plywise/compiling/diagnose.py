"""Explain why Numba cannot compile a game: one sentence with the class, the method, the line and the reason.

Numba's own message fills three screens.  ``plain_errors`` extracts the reason; this module finds the rest.
"""

from __future__ import annotations

import dis
import enum
import functools
import operator
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from plywise.cells import Cells
from plywise.compiling.fingerprint import members, plain
from plywise.compiling.members import method_type
from plywise.compiling.native import Native, is_constant, is_default, without_enums
from plywise.compiling.native_types import native_type, state_type
from plywise.compiling.plain_errors import reason, without_warnings
from plywise.compiling.reading import CannotCompile
from plywise.compiling.words import TOO_WIDE, fits


def bare_state(game: Native, state: Any) -> Any:
    """Return a position in the form that compiled code takes: numbers and tuples of numbers.

    Raises:
        CannotCompile: the position holds something else.
    """
    if isinstance(state, tuple) and not isinstance(state, Cells):
        _check_operators(game, type(state))
        if all(type(value) is int and fits(value) for value in state):  # the usual case, quickly
            return tuple(state)
        names = getattr(state, "_fields", None) or map(str, range(len(state)))
        return tuple(_bare(game, f"field {name} of its positions", v) for name, v in zip(names, state, strict=True))
    if not isinstance(state, (int, float, Cells)):
        raise CannotCompile(
            f"{type(game).__name__} cannot be compiled: a position must be a NamedTuple of numbers, "
            f"but this game's is a {type(state).__name__}"
        )
    return _bare(game, "its position", state)


OPERATORS = frozenset(name for name, member in vars(operator).items() if name.startswith("__") and callable(member))
OPERATORS |= {name.replace("__", "__r", 1) for name in OPERATORS}
OPERATORS |= {
    "__bool__", "__float__", "__getattr__", "__getattribute__", "__hash__", "__int__", "__iter__", "__len__",
    "__reversed__", "__round__",
}  # fmt: skip
"""Methods that redefine Python's operators and functions such as ``len``."""


@functools.cache
def _operators(cls: type) -> list[str]:
    """Return the operators, such as ``__eq__``, that a class of tuples redefines."""
    return sorted({name for base in cls.__mro__ if base not in (tuple, object) for name in vars(base)} & OPERATORS)


def _check_operators(game: Native, cls: type) -> None:
    """Check that operators such as ``==`` mean the same in compiled code as in Python."""
    if operators := _operators(cls):
        raise CannotCompile(
            f"{type(game).__name__} cannot be compiled: {cls.__name__} of its positions defines {operators[0]}, "
            "which compiled code does not call: give the method a name of its own"
        )


def _bare(game: Native, name: str, value: Any) -> Any:
    if isinstance(value, Cells):
        return value
    if isinstance(value, tuple):
        _check_operators(game, type(value))
        return tuple(_bare(game, name, item) for item in value)
    value = without_enums(value.item() if getattr(value, "ndim", None) == 0 else value)  # a NumPy scalar
    if not is_constant(value) or isinstance(value, str):
        instead = ": use an IntEnum" if isinstance(value, enum.Enum) else ": use -1" if value is None else ""
        raise CannotCompile(
            f"{type(game).__name__} cannot be compiled: {name} holds a {type(value).__name__}, "
            f"but compiled rules need numbers or tuples of numbers{instead}"
        )
    if isinstance(value, int) and not fits(value):
        raise CannotCompile(f"{type(game).__name__} cannot be compiled: {name} is {value}, {TOO_WIDE}")
    return value


def blame(game: Native, error: Exception) -> str:
    """Return one sentence that names the first method of ``game`` that Numba cannot compile, and why."""
    return next(refusals(game), ("", _sentence(game, "", error)))[1]


OTHER_ARGUMENTS = ("playout", "reward")
"""Methods that do not take a position and then moves; an error in them names the line by itself."""


def refusals(game: Native) -> Iterator[tuple[str, str]]:
    """Yield the methods of ``game`` that Numba cannot compile, each with a sentence that says where and why."""
    context = cpu_target.typing_context

    def kind_of(name: str, *arguments: types.Type) -> types.Type:
        return method_type(context, native_type(game), name, arguments)

    def try_out(name: str, step: Callable[[], Any]) -> Iterator[tuple[str, str]]:
        try:
            with without_warnings():
                step()
        except Exception as cause:  # Numba raises many kinds besides its own errors
            yield name, _sentence(game, name, cause)

    state: list[types.Type] = []
    yield from try_out("initial", lambda: state.append(state_type(context, native_type(game))))
    if not state:
        return
    move: list[types.Type] = []
    yield from try_out("moves", lambda: move.append(_move_type(kind_of("moves", *state))))
    if move:
        yield from try_out("play", lambda: _check_play(state[0], kind_of("play", *state, *move)))
    for name in sorted(set(type(game).ENTRY_POINTS or ()) - {"initial", "moves", "play", *OTHER_ARGUMENTS}):
        function = members(type(game))[name]
        if function.__name__ == "moves" or is_default(type(game), name):
            continue  # a default fails only if one of the game's own methods does
        arguments = [*state, *move, types.float64][: function.__code__.co_argcount - 1]  # the last one is an amount
        yield from try_out(name, functools.partial(_check, name, kind_of, arguments))


def _move_type(moves: types.Type) -> types.Type:
    item = getattr(moves, "yield_type", None) or getattr(moves, "dtype", None)
    if not isinstance(item, (types.Integer, types.Boolean)):
        raise NumbaError(f"its moves are {item or moves}, but a move must be an integer")
    return item


def _check(name: str, kind_of: Callable[..., types.Type], arguments: list[types.Type]) -> None:
    answer = kind_of(name, *arguments)
    if name in ("to_move", "score", "evaluate") and not isinstance(answer, (types.Number, types.Boolean)):
        raise NumbaError(f"it returns {answer}, but must return a number")


def _check_play(before: types.Type, after: types.Type) -> None:
    if before == after:
        return
    if getattr(before, "instance_class", 1) is getattr(after, "instance_class", 2):
        for name, old, new in zip(before.fields, before.types, after.types, strict=True):
            if old != new:
                raise NumbaError(f"field {name} is {old} in initial() but {new} here: give it one type in both")
    raise NumbaError(f"it returns {after}, but initial() returns {before}")


# ---------------------------------------------------------------------------------------------------------------------
# The sentence
# ---------------------------------------------------------------------------------------------------------------------


def _sentence(game: Native, method: str, error: Exception) -> str:
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)) or "delitem"  # the only error without a text
    file, line = _place(game, text) or _definition(game, method, text)
    where = f" at line {line} of {file}" if line else ""
    called = f".{method}" if method else ""
    return f"{type(game).__name__}{called} cannot be compiled{where}: {reason(game, text)}"


def _place(game: Native, text: str) -> tuple[str, int] | None:
    """Return the file and line of the innermost code outside Numba and, unless the game is ours, outside plywise."""
    homes = [os.path.dirname(numba.__file__)]
    if type(game).__module__.partition(".")[0] != __name__.partition(".")[0]:
        homes.append(os.path.dirname(os.path.dirname(__file__)))
    for named, line, other, number in re.findall(
        r'File "(.+?)", line (\d+)|(?:from|at|location:) (\S+) \((\d+)\)', text
    ):
        file = named or other
        if not file.startswith("<"):  # such as <stdin>, of a prompt or a notebook
            file = os.path.abspath(file)
        if not file.startswith(tuple(home + os.sep for home in homes)):
            return file, int(line or number)
    return None


def _definition(game: Native, method: str, text: str) -> tuple[str, int]:
    """Return the file and first line of a method, or the line that Numba's message means but does not name."""
    code = getattr(plain(members(type(game)).get(method)), "__code__", None)
    if code is None:
        return "", 0
    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        line = getattr(instruction, "line_number", instruction.starts_line) or line
        if any(op in instruction.opname and sign.format(instruction.argval) in text for op, sign in _SIGNS):
            return code.co_filename, line
    return code.co_filename, code.co_firstlineno


_SIGNS = (
    ("DELETE_SUBSCR", "delitem"),
    ("WITH", "'with"),
    ("STORE_ATTR", ".{} = "),
    ("LOAD_GLOBAL", "name '{}' is not defined"),
)
"""Instructions that Numba rejects without naming the line, and what its message then contains."""
