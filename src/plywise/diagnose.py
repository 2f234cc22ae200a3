"""Why Numba cannot compile a game: the class, the method, the line and the reason, instead of three screens.

Numba tells what went wrong innermost first, in words for its own developers.  Here the first of its sentences that we
know is said in the words of somebody who writes a game; one that we do not know is quoted.
"""

from __future__ import annotations

import dis
import functools
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from plywise.bridge import _facts, method_type, native_type, state_type
from plywise.fingerprint import members, plain
from plywise.game import Game, State
from plywise.native import is_constant
from plywise.reading import CannotCompile

FITS = "numbers, strings, tuples of them and arrays of numbers"


def bare_state(game: Game, state: State) -> Any:
    """Return a position as compiled code takes it: numbers and tuples of numbers.

    Raises:
        CannotCompile: the position holds something else.
    """
    if isinstance(state, tuple):
        names = getattr(state, "_fields", None) or map(str, range(len(state)))
        return tuple(_bare(game, f"field {name} of its positions", v) for name, v in zip(names, state, strict=True))
    if not isinstance(state, (int, float)):
        raise CannotCompile(
            f"{type(game).__name__} cannot be compiled: a position must be a NamedTuple of numbers, "
            f"but this game's is a {type(state).__name__}"
        )
    return _bare(game, "its position", state)


def _bare(game: Game, name: str, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_bare(game, name, item) for item in value)
    if hasattr(value, "item"):
        value = value.item()
    if not is_constant(value) or isinstance(value, str):
        raise CannotCompile(
            f"{type(game).__name__} cannot be compiled: {name} holds a {type(value).__name__}, "
            "but compiled rules need numbers or tuples of numbers"
        )
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise CannotCompile(
            f"{type(game).__name__} cannot be compiled: {name} is {value}, "
            "which does not fit a signed 64-bit integer (see plywise.bits)"
        )
    return value


def blame(game: Game, error: Exception) -> str:
    """Return one sentence that names the first method of ``game`` that Numba cannot compile, and why."""
    return next(refusals(game), ("", _sentence(game, "", error)))[1]


def refusals(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the methods of ``game`` that Numba cannot compile, each with a sentence that says where and why."""
    context = cpu_target.typing_context

    def kind_of(name: str, *arguments: types.Type) -> types.Type:
        return method_type(context, native_type(game), name, arguments)

    def try_out(name: str, step: Callable[[], Any]) -> Iterator[tuple[str, str]]:
        try:
            step()
        except Exception as cause:  # besides its own errors, Numba lets many others through
            yield name, _sentence(game, name, cause)

    state: list[types.Type] = []
    yield from try_out("initial", lambda: state.append(state_type(context, native_type(game))))
    if not state:
        return
    move: list[types.Type] = []
    yield from try_out("moves", lambda: move.append(_move_type(kind_of("moves", *state))))
    if move:
        yield from try_out("play", lambda: _check_play(state[0], kind_of("play", *state, *move)))
    for name in sorted(set(type(game).ENTRY_POINTS or ()) - {"initial", "moves", "play"}):
        function = members(type(game))[name]
        if function.__name__ == "moves" or function.__module__ == Game.__module__:
            continue  # a default fails only where a method of the game's own does
        arguments = [*state, *move, types.float64][: function.__code__.co_argcount - 1]  # the last is an amount
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
# One sentence from three screens
# ---------------------------------------------------------------------------------------------------------------------


def _sentence(game: Game, method: str, error: Exception) -> str:
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    file, line = _place(text) or _definition(game, method, text)
    where = f" at line {line} of {file}" if line else ""
    called = f".{method}" if method else ""
    reason = _reason(game, text) or f"Numba failed with {type(error).__name__}"
    return f"{type(game).__name__}{called} cannot be compiled{where}: {reason}"


def _place(text: str) -> tuple[str, int] | None:
    """Return the file and the line of the innermost code that is not Numba's own."""
    numba_home = os.path.dirname(numba.__file__)
    for named, line, other, number in re.findall(
        r'File "(.+?)", line (\d+)|(?:from|at|location:) (\S+) \((\d+)\)', text
    ):
        file = named or other
        if not file.startswith("<"):  # a prompt or a notebook
            file = os.path.abspath(file)
        if not file.startswith(numba_home):
            return file, int(line or number)
    return None


def _definition(game: Game, method: str, text: str) -> tuple[str, int]:
    """Return where a method begins, or the line in it of which Numba complains without saying where it is."""
    code = getattr(plain(members(type(game)).get(method)), "__code__", None)
    if code is None:
        return "", 0
    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        line = getattr(instruction, "line_number", instruction.starts_line) or line
        if any(op in instruction.opname and sign.format(instruction.argval) in text for op, sign in _SIGNS):
            return code.co_filename, line
    return code.co_filename, code.co_firstlineno


_SIGNS = (("WITH", "'with"), ("STORE_ATTR", ".{} = "), ("LOAD_GLOBAL", "name '{}' is not defined"))
"""Instructions, and what Numba says of them without saying where they are."""


def _reason(game: Game, text: str) -> str:
    """Return why, from the first sentence of Numba's that we know, or else its own words."""
    found = [(match.start(), say(game, *match.groups())) for known, say in _SAYINGS for match in known.finditer(text)]
    if found:
        return min(found)[1]
    lines = [line.strip(" -") for line in text.splitlines()]
    return next((_plain(line).rstrip(":.") for line in lines if line and not line.startswith("Failed in")), "")


def _plain(text: str) -> str:
    """Return Numba's names of types as a Python programmer knows them."""
    sayings: tuple[tuple[str, Any], ...] = (
        (r"@~?[0-9a-f]{24}", lambda found: _facts[found[0]].cls.__name__),
        (r"Literal\[(\w+)\]\([^()]*\)", r"\1"),
        (r"\b(?!Tuple|UniTuple)([A-Z]\w*)\((?:int64|float64|bool)[^()]*\)", r"\1"),
        (r"<class '(?:\w+\.)*(\w+)'>", r"\1"),
        (r"\bclass\((\w+)\)", r"\1"),
        (r"\b(?:unicode_type)\b", "str"),
        (r"\bint64\b", "int"),
        (r"\bfloat64\b", "float"),
        (r"\bnone\b", "None"),
    )
    for pattern, replacement in sayings:
        text = re.sub(pattern, replacement, text)
    return text.strip()


def _global(game: Game, name: str, kind: str) -> str:
    kind = kind.rpartition(".")[2]
    if name == "super":
        return NO_SUPER
    if kind in ("builtin_function_or_method", "type", "function"):
        return f"{name} has no compiled form"
    return f"the global name {name} is a {kind}, but compiled code can use only functions, classes, {FITS}"


def _attribute(game: Game, name: str, owner: str) -> str:
    owner = _plain(owner)
    if owner != type(game).__name__:
        return f"{owner} has no {name} in compiled code"
    member = members(type(game)).get(name)
    if isinstance(member, classmethod):
        return f"{name} is a class method: make it a static method, or a method"
    if member is None and not hasattr(game, name):
        return f"class {owner} has no attribute {name}"
    value = getattr(game, name)
    kind = f"n array of {value.dtype}" if isinstance(value, np.ndarray) else f" {type(value).__name__}"
    return f"self.{name} is a{kind}, but compiled code can use only {FITS}"


_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "eq": "==",
    "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "and_": "&", "or_": "|", "xor": "^", "lshift": "<<",
    "rshift": ">>", "iadd": "+", "isub": "-", "imul": "*", "iand": "&", "ior": "|", "ixor": "^",
}  # fmt: skip


def _call(game: Game, call: str, details: str) -> str:
    specific = re.search(r"specific error:\s*(?:\w+: )?(.+)", details)
    if specific and "Exception matching" in specific[1]:
        return "only `except Exception` can be compiled"
    if specific and "_defn" not in specific[1]:
        return _plain(specific[1]).rstrip(".")
    name, _, operands = _plain(call).partition("(")
    parts = operands.removesuffix(")").split(", ")
    if name in _OPERATORS and len(parts) == 2:
        return f"{parts[0]} {_OPERATORS[name]} {parts[1]} has no compiled form"
    if name.endswith("getitem"):
        return f"{parts[0]}[{', '.join(parts[1:])}] has no compiled form"
    return f"{name}({operands} has no compiled form"


NO_SUPER = "super() has no compiled form: call the method by its class, as in Base.score(self, state)"

_OPCODES = {
    "LOAD_SUPER_ATTR": NO_SUPER,
    "GET_YIELD_FROM_ITER": "`yield from` has no compiled form: write a loop that yields",
    "IMPORT_NAME": "an import inside a rule has no compiled form: import at the top of the file",
}

_SAYINGS: list[tuple[re.Pattern[str], Callable[..., str]]] = [
    (re.compile(pattern, re.DOTALL), say)
    for pattern, say in (
        (r"Untyped global name '(\w+)': Cannot determine Numba type of <class '(.+?)'>", _global),
        (r"Untyped global name '(\w+)': (.+?)\n", lambda game, name, why: f"the global name {name}: {_plain(why)}"),
        (r"The use of a .*? assigned to variable '(\w+)' in globals", lambda game, name:
            f"the global name {name} is a list, which may change: make it a tuple"),
        (r"Unknown attribute '(\w+)' of type (.+?)\n", _attribute),
        (r"No implementation of function .+? found for signature:\s*>>> (.+?)\n(.*?)(?:\nDuring|$)", _call),
        (r"Cannot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?', defined", lambda game, one, other, name:
            f"{name} is {_plain(one)} here and {_plain(other)} there: give it one type"),
        (r"Can't unify return type from the following types: (.+?)\n", lambda game, kinds:
            f"it returns things of different types: {_plain(kinds)}"),
        (r"Use of unsupported opcode \((\w+)\)", lambda game, name:
            _OPCODES.get(name, f"a statement of this kind ({name}) has no compiled form")),
        (r"The use of yield in a closure is unsupported", lambda game:
            "a generator expression has no compiled form: write a list [...] or a loop"),
        (r"The 'with \(context manager\)|'with' statement", lambda game: "`with` has no compiled form"),
        (r"Illegal IR, del found at: del (\w+)", lambda game, name: f"`del {name}` has no compiled form"),
        (r"Type of variable '\S+' cannot be determined", lambda game:
            "Numba cannot tell the type of this expression: write it in smaller steps, without :="),
        (r"Cannot bind '.*?' to signature '(.+?)'", lambda game, signature:
            f"a call does not fit the parameters {signature}; compiled code knows none that must be named"),
        (r"No definition for lowering (\w+)\([^()]*\)\.(\w+) = ", lambda game, kind, field:
            f"a {kind} cannot change: return a new one instead of setting {field}"),
        (r"Cannot resolve setattr: \((\w+)\([^()]*\)\)\.(\w+) = ", lambda game, kind, field:
            f"a {kind} cannot change: return a new one instead of setting {field}"),
        (r"NameError: name '(\w+)' is not defined", lambda game, name: f"the name {name} is not defined"),
        (r"(Int value is too large: -?\d+)", lambda game, words:
            f"{words.lower()} for a signed 64-bit integer (see plywise.bits)"),
        (r"((?:field \w+ is|it returns|its moves are|self\.\w+ is|_replace takes) [^\n]+)", lambda game, words:
            _plain(words)),
    )
]  # fmt: skip
"""What Numba says, and what that means."""
