"""The rules of a game as functions with addresses, for code that is compiled once for all games.

Every rule is compiled by itself, so that a change to one method compiles only the rules that use it.  All rules have
the same form: a rule takes the address of the game's block, the address of a position, a move or another word, and an
address to write to.  So code that calls it does not depend on the game.

In memory a position is the player to move, then the words of the position itself.
"""

from __future__ import annotations

import functools
import types as python_types
from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaTypeError
from numba.extending import intrinsic

from plywise.compiling.cache import MachineCode
from plywise.compiling.cells_type import CellsType
from plywise.compiling.fingerprint import fingerprint
from plywise.compiling.functions import dispatcher
from plywise.compiling.hashing import hashed
from plywise.compiling.instructions import WORD, word
from plywise.compiling.native_types import NativeType, state_type
from plywise.compiling.pipeline import AddressCompiler, EntryCompiler
from plywise.compiling.reading import compile_for
from plywise.compiling.scores import rounded
from plywise.compiling.words import leaves, load_value, number_in, words_of
from plywise.errors import SearchError

WORD_BYTES = 8

FORM = (types.int64,) * 4
"""The types of the arguments of a rule: the game's block, a position, a word, and where to write."""

TOO_MANY_MOVES = "a position has too many moves"


# ---------------------------------------------------------------------------------------------------------------------
# Memory
# ---------------------------------------------------------------------------------------------------------------------


def _pointer(builder, address):
    return builder.inttoptr(address, WORD.as_pointer())


@intrinsic
def load_word(typing_context, address):
    """The word at an address."""

    def generate(context, builder, signature, arguments):
        return builder.load(_pointer(builder, arguments[0]))

    return types.int64(types.int64), generate


@intrinsic
def _write(typing_context, address, value):
    """Write the words of ``value`` to an address."""

    def generate(context, builder, signature, arguments):
        pointer = _pointer(builder, arguments[0])
        for place, each in enumerate(words_of(context, builder, value, arguments[1])):
            builder.store(each, builder.gep(pointer, [word(place)]))
        return context.get_dummy_value()

    return types.none(types.int64, value), generate


@intrinsic
def _position(typing_context, game, address):
    """The position at an address."""
    target = state_type(typing_context, game)

    def generate(context, builder, signature, arguments):
        return load_value(context, builder, target, builder.gep(_pointer(builder, arguments[1]), [word(1)]))

    return target(game, types.int64), generate


@intrinsic
def real_in(typing_context, bits):
    """The float whose bits a word holds."""

    def generate(context, builder, signature, arguments):
        return number_in(context, builder, types.float64, arguments[0])

    return types.float64(types.int64), generate


def _whole(rounding):
    @intrinsic
    def whole(typing_context, bits):
        def generate(context, builder, signature, arguments):
            return rounded(builder, number_in(context, builder, types.float64, arguments[0]), rounding)

        return types.int64(types.int64), generate

    return whole


floor_of, ceiling_of = _whole("llvm.floor"), _whole("llvm.ceil")
"""The float whose bits a word holds, rounded to an integer of the game."""


@intrinsic
def bits_of(typing_context, real):
    """The bits of a float, as a word."""

    def generate(context, builder, signature, arguments):
        return words_of(context, builder, types.float64, arguments[0])[0]

    return types.int64(types.float64), generate


@intrinsic
def _number(typing_context, value):
    """A number as int64 or float64."""
    target = types.float64 if isinstance(value, types.Float) else types.int64

    def generate(context, builder, signature, arguments):
        return context.cast(builder, arguments[0], value, target)

    return target(value), generate


# ---------------------------------------------------------------------------------------------------------------------
# The rules
# ---------------------------------------------------------------------------------------------------------------------


def _place(game, state, out):
    _write(out, (game.to_move(state), _checked(game, state)))


@intrinsic
def _checked(typing_context, game, state):
    """The position, whose words must mean what those of the initial position mean."""
    target = state_type(typing_context, game)
    if _meanings(state) != _meanings(target):
        raise NumbaTypeError(f"a position is {_shown(target)} in initial() but {_shown(state)} here")
    return state(game, state), lambda context, builder, signature, arguments: arguments[1]


def _meanings(kind: types.Type) -> list[Any]:
    """Return what the words of a type mean: cells, floats or integers."""
    return [str(leaf) if isinstance(leaf, CellsType) else isinstance(leaf, types.Float) for leaf in leaves(kind)]


def _shown(kind: types.Type) -> str:
    names = [str(leaf) if isinstance(leaf, CellsType) else "float" if isinstance(leaf, types.Float) else "int"
             for leaf in leaves(kind)]  # fmt: skip
    return f"({', '.join(names)})"


def start(game, place, word, out):
    """Write the player to move before a position whose words are there already."""
    _place(game, _position(game, place), place)
    return 0


def play(game, place, word, out):
    _place(game, game.play(_position(game, place), word), out)
    return 0


def pass_move(game, place, word, out):
    _place(game, game.pass_move(_position(game, place)), out)
    return 0


def _collect(moves, most, out):
    count = 0
    for move in moves:
        if count == most:
            raise SearchError(TOO_MANY_MOVES)
        _write(out + WORD_BYTES * count, move)
        count += 1
    return count


def moves(game, place, word, out):
    return _collect(game.moves(_position(game, place)), word, out)


def candidates(game, place, word, out):
    return _collect(game.candidates(_position(game, place)), word, out)


def noisy_moves(game, place, word, out):
    return _collect(game.noisy_moves(_position(game, place)), word, out)


def is_terminal(game, place, word, out):
    return _number(game.is_terminal(_position(game, place)))


def score(game, place, word, out):
    return _number(game.score(_position(game, place)))


def evaluate(game, place, word, out):
    return _number(game.evaluate(_position(game, place)))


def repetition(game, place, word, out):
    return _number(game.repetition(_position(game, place)))


def bounds(game, place, word, out):
    low, high = game.bounds(_position(game, place))
    return _number(low), _number(high)


def proven_bounds(game, place, word, out):
    low, high = game.proven_bounds(_position(game, place))
    return _number(low), _number(high)


def nearly_over(game, place, word, out):
    return _number(game.nearly_over(_position(game, place)))


def key(game, place, word, out):
    return hashed(game.key(_position(game, place)))


def rest_key(game, place, word, out):
    return hashed(game.rest_key(_position(game, place)))


def banked(game, place, word, out):
    return _number(game.banked(_position(game, place)))


def order(game, place, word, out):
    return _number(game.order(_position(game, place), word))


def gain(game, place, word, out):
    return _number(game.gain(_position(game, place), word))


def trait(game, place, word, out):
    return _number(game.trait(_position(game, place), word))


def move_in_image(game, place, word, out):
    return _number(game.move_in_image(_position(game, place), word))


def move_from_image(game, place, word, out):
    return _number(game.move_from_image(_position(game, place), word))


def wins_at_least(game, place, word, out):
    return _number(game.wins_at_least(_position(game, place), word, real_in(out)))


def extension(game, place, word, out):
    return _number(game.extension(_position(game, place)))


def reversible(game, place, word, out):
    return _number(game.reversible(_position(game, place)))


def recurring(game, place, word, out):
    key, player = game.recurring(_position(game, place))
    mixed, signature = hashed(key)
    return mixed, signature if player == 0 else ~signature


def probability(game, place, word, out):
    return _number(game.probability(_position(game, place), word))


# ---------------------------------------------------------------------------------------------------------------------
# Compiling and calling them
# ---------------------------------------------------------------------------------------------------------------------


def _game_of(kind: NativeType) -> Any:
    """Return a function that makes a game of this type from the address of its block."""

    @intrinsic
    def game_at(typing_context, block):
        def generate(context, builder, signature, arguments):
            value = cgutils.create_struct_proxy(kind)(context, builder)
            if kind.facts.has_block:
                value.block = builder.inttoptr(arguments[0], value.block.type)
            return value._getvalue()

        return kind(types.int64), generate

    return game_at


@functools.cache
def _compiled(kind: NativeType, rule: python_types.FunctionType, meaning: str) -> Any:
    called = kind.facts.name((rule.__name__, "to_move"))
    inner, game_at = dispatcher(rule), _game_of(kind)

    def outer(block, place, word, out):
        return inner(game_at(block), place, word, out)

    outer.__qualname__ = outer.__name__ = f"rule_{rule.__name__}"
    from_python = rule is start
    compiled = numba.njit(outer, nogil=True, pipeline_class=EntryCompiler if from_python else AddressCompiler)
    compiled._cache = MachineCode(rule, f"{meaning} {called}", kind)
    return compiled


def is_made(kind: NativeType, rule: Callable[..., Any]) -> bool:
    """Return whether a rule is compiled, in this process or on disk."""
    function: Any = rule
    made = _compiled(kind, function, fingerprint(function))
    return FORM in made.overloads or made._cache.holds(FORM, made.targetctx)


class Rule:
    """A compiled rule of a game."""

    def __init__(self, kind: NativeType, rule: Callable[..., Any]) -> None:
        function: Any = rule
        self._dispatcher = _compiled(kind, function, fingerprint(function))  # it must outlive the address
        compile_for(self._dispatcher, FORM)
        code = self._dispatcher.overloads[FORM]
        self.result: types.Type = code.signature.return_type
        self.call: Callable[[int, int, int, int], Any] = code.entry_point
        """For ``start``, the only rule that Python calls."""
        self.address: int = code.library.get_pointer_to_function(code.fndesc.llvm_func_name)


def _ask(result):
    """Return a function that calls the rule at an address; its result has the words of the type ``result``."""

    @intrinsic
    def ask(typing_context, address, block, place, given, out):
        def generate(context, builder, signature, arguments):
            convention = context.call_conv
            kind = convention.get_function_type(result, FORM)
            rule = builder.inttoptr(arguments[0], kind.as_pointer())
            status, value = convention.call_function(builder, rule, result, FORM, arguments[1:])
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return value

        return result(types.int64, *FORM), generate

    return ask


ask = _ask(types.int64)
ask_two = _ask(types.UniTuple(types.int64, 2))
