"""What Python has built in and Numba lacks: ``any``, ``all``, ``reversed``, generator expressions, and a few methods.

A generator expression that ``any`` or ``all`` reads becomes a loop that ends as soon as the answer is known.  Any other
becomes the list of its values: rules have no side effects, so nobody can tell when a value was computed.

For others who use Numba in this process nothing changes but that more of their code compiles.
"""

from __future__ import annotations

import contextvars
from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import inline_closurecall, ir, ir_utils
from numba.extending import intrinsic, overload, overload_attribute, overload_method

# ---------------------------------------------------------------------------------------------------------------------
# Functions and methods
# ---------------------------------------------------------------------------------------------------------------------


@overload(any)
def _any(items):
    def found(items):
        for item in items:  # noqa: SIM110
            if item:
                return True
        return False

    return found


@overload(all)
def _all(items):
    def found(items):
        for item in items:  # noqa: SIM110
            if not item:
                return False
        return True

    return found


@overload(reversed)
def _reversed(items):
    if isinstance(items, types.RangeType):
        return lambda items: range(items.start + (len(items) - 1) * items.step, items.start - items.step, -items.step)
    if isinstance(items, (types.BaseTuple, types.List, types.Array)):
        return lambda items: items[::-1]
    return None


@overload_method(types.UniTuple, "count")
def _count(items, wanted):
    def count(items, wanted):
        number = 0
        for item in items:
            if item == wanted:
                number += 1
        return number

    return count


def _ones_or_width(name: str) -> Any:
    """The number of bits of an integer's size: those that are set, or all."""

    @intrinsic
    def count(typing_context, number):
        def generate(context, builder, signature, arguments):
            word = llvm.IntType(64)
            value = context.cast(builder, arguments[0], number, types.int64)
            negative = builder.icmp_signed("<", value, llvm.Constant(word, 0))
            size = builder.select(negative, builder.neg(value), value)
            if name == "bit_count":
                return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [word]), [size])
            kind = llvm.FunctionType(word, [word, llvm.IntType(1)])
            zeros = builder.module.declare_intrinsic("llvm.ctlz", [word], kind)
            return builder.sub(llvm.Constant(word, 64), builder.call(zeros, [size, llvm.Constant(llvm.IntType(1), 0)]))

        return types.int64(number), generate

    return count


def _add_bit_methods(name: str) -> None:
    count = _ones_or_width(name)

    @overload_method(types.Integer, name)
    def method(number):
        return lambda number: count(number)


_add_bit_methods("bit_count")
_add_bit_methods("bit_length")


@overload_attribute(types.Integer, "value")
def _value(number):
    """Of a member of an IntEnum, which compiled code knows as an integer."""
    return lambda number: number


# ---------------------------------------------------------------------------------------------------------------------
# Generator expressions
# ---------------------------------------------------------------------------------------------------------------------

_consumer: contextvars.ContextVar[Any] = contextvars.ContextVar("consumer", default=None)
"""The function that reads the values of the generator expression at hand: any, all, or None for all others."""

_validator = inline_closurecall.callee_ir_validator
_inline_closure = inline_closurecall.InlineClosureCallPass._inline_closure


def _inline_expression(self, work_list, block, place, definition):
    """Put the code of a closure, which may be a generator expression, in the place of its call."""
    reading = None
    if isinstance(definition, ir.Expr) and definition.op == "make_function" and _is_expression(definition.code):
        reading = _reading(self.func_ir, block, place)
    token = _consumer.set(reading and reading[0])
    try:
        done = _inline_closure(self, work_list, block, place, definition)
    finally:
        _consumer.reset(token)
    if reading:
        reading[1].value = reading[1].value.args[0]  # what is read is the answer already
    return done


def _is_expression(code):
    return code.co_name == "<genexpr>"


def _reading(func_ir, block, place):
    """Return the function any or all and the call of it that reads what is computed at ``place``; None for others."""
    made = block.body[place]
    statements = (each for block in func_ir.blocks.values() for each in block.body)
    users = [each for each in statements if each is not made and _mentions(each, made.target.name)]
    if len(users) != 1 or not isinstance(users[0], ir.Assign):
        return None
    call = users[0].value
    if not (isinstance(call, ir.Expr) and call.op == "call" and len(call.args) == 1 and not call.kws):
        return None
    called = ir_utils.guard(ir_utils.get_definition, func_ir, call.func)
    known = isinstance(called, (ir.Global, ir.FreeVar)) and called.value in (any, all)
    return (called.value, users[0]) if known else None


def _mentions(statement, name):
    return not isinstance(statement, ir.Del) and name in {variable.name for variable in statement.list_vars()}


def _without_yield(func_ir):
    """Turn the code of a generator expression into that of a function that returns a list, or what any or all say."""
    if _is_expression(func_ir.func_id.code):
        if _consumer.get() is None:
            _into_a_list(func_ir)
        else:
            _into_a_search(func_ir, _consumer.get() is any)
    _validator(func_ir)


def _into_a_list(func_ir):
    first = func_ir.blocks[min(func_ir.blocks)]
    values = first.scope.redefine("$values", loc=first.loc)
    first.body.insert(0, ir.Assign(ir.Expr.build_list([], loc=first.loc), values, first.loc))
    for block in func_ir.blocks.values():
        body = []
        for statement in block.body:
            if isinstance(getattr(statement, "value", None), ir.Yield):
                loc = statement.loc
                append = block.scope.redefine("$append", loc=loc)
                body.append(ir.Assign(ir.Expr.getattr(values, "append", loc=loc), append, loc))
                statement.value = ir.Expr.call(append, (statement.value.value,), (), loc=loc)
            elif isinstance(statement, ir.Return):
                statement.value = values
            body.append(statement)
        block.body = body


def _into_a_search(func_ir, wanted):
    """Return ``wanted`` at the first value that is true (or, if all are wanted, false as well), else the opposite."""
    for block in list(func_ir.blocks.values()):
        if isinstance(block.body[-1], ir.Return):
            _answer(block, block.body.pop().loc, not wanted)
    for label, block in list(func_ir.blocks.items()):
        places = [i for i, each in enumerate(block.body) if isinstance(getattr(each, "value", None), ir.Yield)]
        if places:
            _leave_early(func_ir, label, places[0], wanted)


def _leave_early(func_ir, label, place, wanted):
    block = func_ir.blocks[label]
    statement = block.body[place]
    loc, scope = statement.loc, block.scope
    leave, go_on = max(func_ir.blocks) + 1, max(func_ir.blocks) + 2
    func_ir.blocks[go_on] = rest = ir.Block(scope, loc)
    rest.body = [ir.Assign(ir.Const(None, loc), statement.target, loc), *block.body[place + 1 :]]
    func_ir.blocks[leave] = end = ir.Block(scope, loc)
    _answer(end, loc, wanted)
    truth, test = (scope.redefine(name, loc=loc) for name in ("$truth", "$test"))
    block.body[place:] = [
        ir.Assign(ir.Global("bool", bool, loc), truth, loc),
        ir.Assign(ir.Expr.call(truth, (statement.value.value,), (), loc=loc), test, loc),
        ir.Branch(test, leave if wanted else go_on, go_on if wanted else leave, loc),
    ]


def _answer(block, loc, answer):
    """Let ``block`` end by returning ``answer``."""
    result = block.scope.redefine("$answer", loc=loc)
    block.body += [ir.Assign(ir.Const(answer, loc), result, loc), ir.Return(result, loc)]


inline_closurecall.callee_ir_validator = _without_yield
inline_closurecall.InlineClosureCallPass._inline_closure = _inline_expression
