"""Why Numba cannot compile a game: the class, the method, the line and the reason, instead of three screens."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from plywise.bridge import method_type, native_type, state_type
from plywise.game import Game, State
from plywise.native import is_constant
from plywise.reading import CannotCompile


def bare_state(game: Game, state: State) -> Any:
    """Return a position as compiled code takes it: numbers and tuples of numbers.

    Raises:
        CannotCompile: the position holds something else.
    """
    names = getattr(state, "_fields", None)
    if names is None and not isinstance(state, (int, float, tuple)):
        raise CannotCompile(
            f"{type(game).__name__} cannot be compiled: a position must be a NamedTuple of numbers, "
            f"but this game's is a {type(state).__name__}"
        )
    if not isinstance(state, tuple):
        return _bare(game, "position", state)
    return tuple(_bare(game, name, v) for name, v in zip(names or map(str, range(len(state))), state, strict=True))


def _bare(game: Game, name: str, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_bare(game, f"{name}[{i}]", item) for i, item in enumerate(value))
    if hasattr(value, "item"):
        value = value.item()
    if not is_constant(value) or isinstance(value, str):
        raise CannotCompile(
            f"{type(game).__name__} cannot be compiled: field {name} of its positions holds a "
            f"{type(value).__name__}, but compiled rules need numbers or tuples of numbers"
        )
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise CannotCompile(
            f"{type(game).__name__} cannot be compiled: field {name} of its positions is {value}, "
            "which does not fit a signed 64-bit integer (see plywise.bits)"
        )
    return value


def blame(game: Game, error: NumbaError) -> str:
    """Return one sentence that names the first method of ``game`` that Numba cannot compile, and why."""
    context = cpu_target.typing_context
    kind = native_type(game)
    state: list[types.Type] = []
    move: list[types.Type] = []

    def first_item() -> None:
        found = method_type(context, kind, "moves", (state[0],))
        item = getattr(found, "yield_type", None) or getattr(found, "dtype", None)
        if item is not None:
            move.append(item)

    steps: list[tuple[str, Callable[[], Any]]] = [
        ("initial", lambda: state.append(state_type(context, kind))),
        ("to_move", lambda: method_type(context, kind, "to_move", (state[0],))),
        ("is_terminal", lambda: method_type(context, kind, "is_terminal", (state[0],))),
        ("moves", first_item),
        ("play", lambda: _check_play(game, state[0], method_type(context, kind, "play", (state[0], move[0])))),
    ]
    names = [n for n in type(game).ENTRY_POINTS or () if n not in {"initial", "to_move", "is_terminal", "moves", "play"}]
    for name in names:
        if name == "sum_bounds":
            steps.append((name, lambda: method_type(context, kind, "sum_bounds", ())))
        else:
            steps.append((name, lambda name=name: method_type(context, kind, name, (state[0],))))  # type: ignore[misc]
    for name, step in steps:
        try:
            step()
        except NumbaError as cause:
            return _sentence(game, name, cause)
    return _sentence(game, "", error)


def _check_play(game: Game, before: types.Type, after: types.Type) -> None:
    if before == after:
        return
    if isinstance(before, types.BaseNamedTuple) and isinstance(after, types.BaseNamedTuple):
        for name, old, new in zip(before.fields, before.types, after.types, strict=False):
            if old != new:
                raise NumbaError(f"field {name} is {old} in initial() but {new} here: give it one type in both")
    raise NumbaError(f"it returns {after}, but initial() returns {before}")


def _sentence(game: Game, method: str, error: NumbaError) -> str:
    name = type(game).__name__
    function = getattr(type(game), method, None)
    file, line = "", 0
    if function is not None:
        code = inspect.unwrap(function).__code__
        file, line = code.co_filename, code.co_firstlineno
    places = re.findall(r'File "(.+?)", line (\d+)', str(error))
    own = [(f, int(n)) for f, n in places if file and (file.endswith(f.lstrip(".")) or f == file)]
    if own:
        line = own[-1][1]
    where = f" at line {line} of {file}" if line else ""
    called = f".{method}" if method else ""
    return f"{name}{called} cannot be compiled{where}: {_reason(error)}"


def _reason(error: NumbaError) -> str:
    """Return the telling line of Numba's message."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip(" -") for line in text.splitlines()]
    telling = re.compile(
        r"(Untyped global name|Use of unsupported|Unknown attribute|No implementation of function|Cannot unify|"
        r"Invalid use of|cannot determine|Cannot determine|not supported|unsupported|Unsupported|NameError|field |it returns)"
    )
    for line in reversed(lines):
        if telling.search(line):
            return line.rstrip(":.")
    return next((line for line in lines if line and not line.startswith("Failed in")), text).rstrip(":.")
