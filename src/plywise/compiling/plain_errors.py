"""Numba's errors in plain words, for authors of games.

Numba reports errors innermost first, in terms for its own developers.  The first sentence that is known here is turned
into plain words, with what to write instead.  Unknown sentences are not repeated: the reader gets the line and general
advice.
"""

from __future__ import annotations

import contextlib
import enum
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba.core.errors import NumbaWarning

from plywise.compiling.fingerprint import members
from plywise.compiling.native import Native, is_array, is_constant
from plywise.compiling.native_types import native_class

FITS = "numbers, strings, tuples of them and arrays of numbers"
REPLACE = "write plywise.bits.with_item(cells, index, value) to replace an item"
CHANGE = "write cells.with_item(index, value), or change cells.array() and write cells.with_items(array)"
UNKNOWN_CAUSE = "Numba cannot compile this line: write it in smaller steps, or in another way"


@contextlib.contextmanager
def without_warnings() -> Iterator[None]:
    """Hide Numba's own warnings while it compiles: plywise says what matters."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)
        yield


def reason(game: Native, text: str) -> str:
    """Return why Numba refused, from the first known sentence in ``text``."""
    found = [(match.start(), say(game, *match.groups())) for known, say in _SAYINGS for match in known.finditer(text)]
    said = min(found)[1] if found else ""
    return UNKNOWN_CAUSE if not said or _INTERNAL.search(said) else said


_INTERNAL = re.compile(
    r"UniTuple|\bTuple\(|OptionalType|nopython|Resolution failure|reflected|unicode_type|Dispatcher|precise type|"
    r"\bIR\b|Literal\[|<iv=|undefined|BoundFunction|Module\(|Function\(|\b0x[0-9a-f]+|Invalid use|getiter|"
    r"cell variable|Numba's"
)
"""Numba's internal terms, which no message may contain."""

# ---------------------------------------------------------------------------------------------------------------------
# Types
# ---------------------------------------------------------------------------------------------------------------------

_TYPES: list[tuple[re.Pattern[str], Any]] = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\w+ generator\(func=.*has_finalizer=\w+\)", "generator"),
        (r"@~?[0-9a-f]{24}", lambda found: native_class(found[0]).__name__),
        (r"<iv=[^<>]*>", ""),
        (r"Literal\[(\w+)\]\([^()]*\)", r"\1"),
        (r"<class '(?:[\w<>]+\.)*(\w+)'>", r"\1"),
        (r"<built-in function (\w+)>", r"\1"),
        (r"<function (?:[\w<>]+\.)*(\w+) at 0x[0-9a-f]+>", r"\1"),
        (r"Module\(<module '(?:\w+\.)*(\w+)'[^<>]*>\)", r"\1"),
        (r"\btype\(CPUDispatcher\((\w+)\)\)", r"\1"),
        (r"\b(?:class|Function)\((\w+)\)", r"\1"),
        (r"\b(?:Int)?Enum(?: class)?<\w+>\((\w+)\)", r"\1"),
        (r"UniTuple\(([^()]*?)(?: x |, )(\d+)\)", r"tuple of \2 \1"),
        (r"\bTuple\(\)", "empty tuple"),
        (r"\bTuple\(([^()]*)\)", lambda found: f"tuple of {found[1].replace(', ', ' and ')}"),
        (r"OptionalType\(([^()]*)\)", r"\1 or None"),
        (r"(?:reflected )?\b(list|set)\(([^()]*)\)", r"\1 of \2"),
        (r"\b(?:readonly )?array\(([^(),]*),[^()]*\)", r"array of \1"),
        (r"DictType\[[^\[\]]*\]", "dict"),
        (r"Union\[([^\[\]]*)\]", lambda found: " or ".join(dict.fromkeys(found[1].split(",")))),
        (r"\bslice<[\w:]*>", "slice"),
        (r"\brange_(?:state|iter)_\w+", "range"),
        (r"\b(?!Tuple\b|UniTuple\b|OptionalType\b|Function\b|Module\b)([A-Z]\w*)\([^()]*\)", r"\1"),
        (r"\bunicode_type\b", "str"),
        (r"\bint64\b", "int"),
        (r"\bfloat64\b", "float"),
        (r"\bnone\b", "None"),
        (r"\bundefined\b", "unknown"),
    )
]
"""Numba's names of types, and Python's names for them.  Inner types are replaced before outer ones, in several
rounds."""


def pythonic(text: str) -> str:
    """Return ``text`` with Numba's names of types replaced by Python's."""
    before = ""
    while text != before:
        before = text
        for pattern, replacement in _TYPES:
            text = pattern.sub(replacement, text)
    return text.strip()


# ---------------------------------------------------------------------------------------------------------------------
# Sentences
# ---------------------------------------------------------------------------------------------------------------------


_INSTEAD = {
    "bin": "plywise.bits.popcount counts the bits that are set",
    "filter": "write a list [... for ... if ...]",
    "frozenset": "write set",
    "map": "write a list [... for ...]",
    "next": "write a loop",
}
"""Replacements for functions that do not compile."""


def _no_form(name: str) -> str:
    return f"{name} has no compiled form{f': {_INSTEAD[name]}' if name in _INSTEAD else ''}"


def _global(game: Native, name: str, kind: str) -> str:
    kind = kind.rpartition(".")[2]
    if name == "super":
        return NO_SUPER
    if kind in ("builtin_function_or_method", "type", "function"):
        return _no_form(name)
    instead = ": make it a tuple" if kind in ("dict", "set", "frozenset") else ""
    return f"the global name {name} is a {kind}, but compiled code can use only functions, classes, {FITS}{instead}"


def _attribute(game: Native, name: str, owner: str) -> str:
    of_a_class, owner = owner.startswith("class("), pythonic(owner)
    if owner != type(game).__name__:
        instead = f": call it on a position, as in state.{name}(...), or make it a function outside the class"
        return f"{owner} has no {name} in compiled code{instead if of_a_class else ''}"
    member = members(type(game)).get(name)
    if isinstance(member, classmethod):
        return f"{name} is a class method: make it a static method or a method"
    if member is None and not hasattr(game, name):
        return f"class {owner} has no attribute {name}"
    value = getattr(game, name)
    if member is None and (is_constant(value) or is_array(value)):
        return (
            f"self.{name} is set by __init__ or __post_init__, where compiled code does not see it: annotate it as a "
            "field of the class, or compute it in a functools.cached_property"
        )
    kind = f"n array of {value.dtype}" if isinstance(value, np.ndarray) else f" {type(value).__name__}"
    instead = ": make it a tuple" if isinstance(value, (list, set, dict)) else ""
    return f"self.{name} is a{kind}, but compiled code can use only {FITS}{instead}"


_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "eq": "==",
    "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "and_": "&", "or_": "|", "xor": "^", "lshift": "<<",
    "rshift": ">>", "iadd": "+", "isub": "-", "imul": "*", "iand": "&", "ior": "|", "ixor": "^",
}  # fmt: skip


def _call(game: Native, call: str, details: str) -> str:
    specific = re.search(r"specific error:\s*(?:\w+: )?(.+)", details)
    if specific and "Exception matching" in specific[1]:
        return "only `except Exception` compiles"
    if specific and "Failed in nopython" in specific[1]:
        inner = reason(game, details)
        if inner != UNKNOWN_CAUSE:
            return inner
    name, _, operands = pythonic(call).partition("(")
    parts = operands.removesuffix(")").split(", ")
    for known, sentence in _CALLS:
        if re.match(known, f"{name}({operands}"):
            return sentence
    if name in _OPERATORS and len(parts) == 2:
        return f"{parts[0]} {_OPERATORS[name]} {parts[1]} has no compiled form"
    if name.endswith("getitem"):
        return f"{parts[0]}[{', '.join(parts[1:])}] has no compiled form"
    if specific and not re.search(r"_defn|argument|Failed in", specific[1]) and not _INTERNAL.search(specific[1]):
        return pythonic(specific[1]).rstrip(".")
    return f"{name}({operands} has no compiled form{f': {_INSTEAD[name]}' if name in _INSTEAD else ''}"


_CALLS = (
    (
        r"\w*getitem\(tuple of .*, slice\)",
        f"a slice of a tuple needs plain numbers as bounds: {REPLACE}, or loop over indices",
    ),
    (
        r"setitem\((tuple|empty tuple)",
        f"a tuple cannot change: {REPLACE}",
    ),
    (
        r"\w*getitem\(Cells, slice\)",
        "a slice of cells has no compiled form: write a loop over indices",
    ),
    (
        r"setitem\(Cells",
        f"cells cannot change: {CHANGE}",
    ),
    (
        r"tuple\((list|set|generator|range|array)",
        f"compiled code cannot tell the length of tuple(...): {REPLACE}, or name all items: (cells[0], cells[1])",
    ),
    (
        r"i?mul\((tuple of|empty tuple|int, tuple of)",
        "compiled code cannot tell the length of a tuple times a number: compute it in a functools.cached_property",
    ),
    (
        r"iadd\((tuple of|empty tuple)",
        "a tuple cannot grow: append to a list",
    ),
    (
        r"(min|max)\(tuple of [^)]*, tuple of",
        "min and max of tuples have no compiled form: write a if a < b else b",
    ),
    (
        r"(min|max|sorted)\(.*\bkey=",
        "key= has no compiled form: write a loop",
    ),
    (
        r"sum\(generator",
        "sum of a map or a generator has no compiled form: write sum([... for ...])",
    ),
    (
        r"type\(",
        "type(...) has no compiled form: write self.NAME instead of type(self).NAME",
    ),
)  # fmt: skip
"""Calls that do not compile: a pattern of the call, and the message."""


def _no_callable(game: Native, name: str, operands: str) -> str:
    if "CellsType" in name:
        return "the methods of cells take only whole numbers in compiled code"
    name = pythonic(name)
    if name == "Cells":
        return f"make Cells in initial() or in a functools.cached_property; elsewhere, {CHANGE}"
    if name == "getiter":
        return _no_loop(pythonic(operands))
    if any(isinstance(cls, type) and issubclass(cls, enum.Enum) for cls in _globals_named(game, name)):
        return f"{name}(...) has no compiled form: its members are plain integers there, so leave out {name}(...)"
    return f"{name}(...) has no compiled form: use a list, a set or an array"


def _globals_named(game: Native, name: str) -> list[Any]:
    """Return what a global name stands for in the methods of a game."""
    functions = (member for member in members(type(game)).values() if hasattr(member, "__globals__"))
    return [function.__globals__.get(name) for function in functions]


def _no_loop(over: str) -> str:
    if over.startswith("tuple of") or " and " in over:
        return f"a loop over a {over} has no compiled form: give all items one type, with rows of one length"
    return f"a loop over {over} has no compiled form: write a loop over a range"


def _mismatch(game: Native, name: str, old: str, new: str) -> str:
    old, new = pythonic(old), pythonic(new)
    instead = "give it one type in both"
    if "tuple" in old and "tuple" in new and re.findall(r"\d+", old) != re.findall(r"\d+", new):
        instead = "give it one length in both"
    elif (old, new) in (("int", "bool"), ("int", "float")):
        instead = "write int(...)" if new == "bool" else "write int(...) or //, or a float in initial()"
    elif "None" in new:
        instead = "write a number such as -1 instead of None"
    return f"field {name} is {old} in initial() but {new} here: {instead}"


def _returns(game: Native, kind: str) -> str:
    kind = pythonic(kind)
    advice = ": return a number in every case" if "None" in kind else ""
    return f"it returns {kind}, but must return a number{advice}"


def _moves(game: Native, kind: str) -> str:
    kind = pythonic(kind)
    if re.fullmatch(r"int(?: or int)*", kind):
        return "its moves are a tuple, whose length is part of its type: return a list or yield the moves"
    compound = "tuple" in kind or (kind[:1].isupper() and kind != "None")
    advice = ": number the moves, as in 8 * row + column" if compound else ""
    return f"its moves are {kind}, but a move must be an integer{advice}"


NO_SUPER = "super() has no compiled form: call the method by its class, as in Base.score(self, state)"

_OPCODES = {
    "LOAD_SUPER_ATTR": NO_SUPER,
    "GET_YIELD_FROM_ITER": "`yield from` has no compiled form: write a loop that yields",
    "IMPORT_NAME": "an import inside a rule has no compiled form: import at the top of the file",
    "UNPACK_EX": "`first, *rest = items` has no compiled form: use indices",
    "STORE_GLOBAL": "a rule cannot set a global name: keep the value in the position",
}

_SAYINGS: list[tuple[re.Pattern[str], Callable[..., str]]] = [
    (re.compile(pattern, re.DOTALL), say)
    for pattern, say in (
        (r"compiler re-entrant to the same function signature.*?BoundFunction\(\(.*?, '(\w+)'\)", lambda game, name:
            f"method {name} calls itself, perhaps through another method: make it a function outside the class"),
        (r"cannot type infer runaway recursion", lambda game:
            "a function that calls itself must begin with a case that does not: write `if ...: return 0` first"),
        (r"Unsupported use of cell variable|op_MAKE_CELL", lambda game:
            "a function inside a rule cannot call itself: put it outside the class"),
        (r"Cannot capture the non-constant value associated with variable '(\w+)'", lambda game, name:
            f"a function inside a rule that uses {name} cannot be passed on: write a list [... for ...] or a loop"),
        (r"Untyped global name '(\w+)': Cannot determine Numba type of <class '(.+?)'>", _global),
        (r"Untyped global name '(\w+)': (.+?)\n", lambda game, name, why: f"the global name {name}: {pythonic(why)}"),
        (r"The use of a .*? assigned to variable '(\w+)' in globals", lambda game, name:
            f"the global name {name} is a list or a set, which may change: make it a tuple"),
        (r"Unknown attribute '(\w+)' of type (.+?)\n", _attribute),
        (r"No implementation of function .+? found for signature:\s*>>> (.+?)\n(.*?)(?:\nDuring|$)", _call),
        (r"Invalid use of ([^\n]+) with parameters \(([^\n]*)\)", _no_callable),
        (r"Cannot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?', defined", lambda game, one, other, name:
            f"{name} is {pythonic(one)} here and {pythonic(other)} there: give it one type"),
        (r"Can't unify return type from the following types: (.+?)\n", lambda game, kinds:
            f"it returns things of different types: {pythonic(kinds)}"),
        (r"(?:Cannot infer the type of variable|non-precise type)[^\n]*\b(list|set)\(undefined", lambda game, kind:
            f"Numba cannot tell what an empty {kind} will hold: put an item in, or yield moves and do not return []"),
        (r"non-precise type DictType\[undefined", lambda game:
            "Numba cannot tell what an empty dict will hold: use a list or an array"),
        (r"Use of unsupported opcode \((\w+)\)", lambda game, name:
            _OPCODES.get(name, f"a statement of this kind ({name}) has no compiled form")),
        (r"(a generator expression (?:compiles only|does not compile)[^\n]+)", lambda game, words:
            f"{words}: write a loop"),
        (r"The use of yield in a closure is unsupported", lambda game:
            "a generator inside a rule has no compiled form: make it a method"),
        (r"The 'with \(context manager\)|'with' statement", lambda game: "`with` has no compiled form"),
        (r"Illegal IR, del found at: del (\w+)", lambda game, name: f"`del {name}` has no compiled form"),
        (r"delitem", lambda game: "`del items[i]` has no compiled form: use items.pop(i)"),
        (r"Type of variable '\S+' cannot be determined", lambda game:
            "Numba cannot tell the type of this expression: write it in smaller steps, without :="),
        (r"Cannot bind '.*?' to signature '(.+?)'", lambda game, signature:
            f"a call does not fit the parameters {signature}; keyword-only parameters do not compile"),
        (r"No definition for lowering (\w+)\([^()]*\)\.(\w+) = ", lambda game, kind, field:
            f"a {kind} cannot change: return a new one instead of setting {field}"),
        (r"Cannot resolve setattr: \(([^\n]+)\)\.(\w+) = ", lambda game, kind, field:
            f"a {pythonic(kind)} cannot change: return a new one instead of setting {field}"
            if pythonic(kind) != type(game).__name__ else
            f"a game cannot change: keep {field} in the position"),
        (r"NameError: name '(\w+)' is not defined", lambda game, name: f"the name {name} is not defined"),
        (r"(Int value is too large: -?\d+)", lambda game, words:
            f"{words.lower()} for a signed 64-bit integer (see plywise.bits)"),
        (r"print\(\) function implementation does not support", lambda game:
            "print takes only positional arguments in compiled code"),
        (r"field (\w+) is ([^\n]+) in initial\(\) but ([^\n]+) here", _mismatch),
        (r"it returns ([^\n]+), but must return a number", _returns),
        (r"its moves are ([^\n]+), but a move must be an integer", _moves),
        (r"((?:it returns [^\n]+, but initial\(\)|self\.\w+ is|_replace takes|isinstance\(\)) [^\n]+)",
            lambda game, words: pythonic(words).rstrip(".")),
    )
]  # fmt: skip
"""Patterns of Numba's sentences, and functions that return a plain sentence for each."""
