"""Features of generators that Numba lacks.

A generator expression inside ``any`` or ``all`` becomes a loop that ends as soon as the answer is known.  Inside
``sum``, or another function that needs all values at once, it becomes a list.  Others are rejected: a list would
compute its values before the loop that reads them, and that loop may change an array that they depend on.

``next`` of an ``inlined`` generator is inlined too.

Other users of Numba in this process notice only that more of their code compiles.
"""

from __future__ import annotations

import contextvars
import dis
from typing import Any

from numba.core import inline_closurecall, ir, ir_utils
from numba.core.errors import UnsupportedError
from numba.core.generators import GeneratorDescriptor

# ---------------------------------------------------------------------------------------------------------------------
# Generators
# ---------------------------------------------------------------------------------------------------------------------

_descriptor_of_next = GeneratorDescriptor.from_generator_fndesc


def _inlined_like_its_function(func_ir: Any, fndesc: Any, *others: Any, **options: Any) -> GeneratorDescriptor:
    """Inline ``next`` of an inlined generator, which Numba does not do.  LLVM then keeps in registers what it would
    otherwise write to memory at every ``yield`` and read back.
    """
    descriptor = _descriptor_of_next(func_ir, fndesc, *others, **options)
    descriptor.inline = fndesc.inline
    return descriptor


GeneratorDescriptor.from_generator_fndesc = staticmethod(_inlined_like_its_function)

# ---------------------------------------------------------------------------------------------------------------------
# Generator expressions
# ---------------------------------------------------------------------------------------------------------------------

READERS = (any, all, sum, min, max, sorted, list, set, tuple)
"""Functions that may read a generator expression: all values at once, or as many as they need."""

LAZY = "a generator expression compiles only after return and inside any, all, sum, min, max, sorted, list and set"
IN_TRY = "a generator expression does not compile in a function that has `try`"

_consumer: contextvars.ContextVar[Any] = contextvars.ContextVar("consumer", default=None)
"""The function in ``READERS`` that reads the generator expression being compiled."""

_validator = inline_closurecall.callee_ir_validator
_inline_closure = inline_closurecall.InlineClosureCallPass._inline_closure


def _inline_expression(self, work_list, block, place, definition):
    """Inline the call of a closure, which may be a generator expression."""
    reading = None
    if isinstance(definition, ir.Expr) and definition.op == "make_function" and _is_expression(definition.code):
        if _has_try(self.func_ir.func_id.code):
            raise UnsupportedError(IN_TRY, loc=block.body[place].loc)
        reading = _reading(self.func_ir, block, place)
        if reading is None:
            raise UnsupportedError(LAZY, loc=block.body[place].loc)
    token = _consumer.set(reading[0] if reading else None)
    try:
        done = _inline_closure(self, work_list, block, place, definition)
    finally:
        _consumer.reset(token)
    if reading and reading[0] in (any, all):
        reading[1].value = reading[1].value.args[0]  # its code already computes the answer
    return done


def _is_expression(code):
    return code.co_name == "<genexpr>"


def _has_try(code):
    """Return whether code catches exceptions.  Numba loses track of this when it inlines other code."""
    return any(step.opname in ("PUSH_EXC_INFO", "SETUP_FINALLY") for step in dis.get_instructions(code))


def _reading(func_ir, block, place):
    """Return the function in ``READERS`` that reads the value computed at ``place``, and its call; else None."""
    made = block.body[place]
    statements = (each for block in func_ir.blocks.values() for each in block.body)
    users = [each for each in statements if each is not made and _mentions(each, made.target.name)]
    if len(users) != 1 or not isinstance(users[0], ir.Assign) or not made.target.name.startswith("$"):
        return None  # a variable holds it, and may be read later
    call = users[0].value
    if isinstance(call, ir.Expr) and call.op == "cast":  # it is returned, so nothing can change before it is read
        return list, users[0]
    if not (isinstance(call, ir.Expr) and call.op == "call" and len(call.args) == 1 and not call.kws):
        return None
    called = ir_utils.guard(ir_utils.get_definition, func_ir, call.func)
    known = isinstance(called, (ir.Global, ir.FreeVar)) and any(called.value is reader for reader in READERS)
    return (called.value, users[0]) if known else None


def _mentions(statement, name):
    return not isinstance(statement, ir.Del) and name in {variable.name for variable in statement.list_vars()}


def _without_yield(func_ir):
    """Turn a generator expression into a function that returns a list, or the answer of ``any`` or ``all``."""
    if _is_expression(func_ir.func_id.code):
        if _consumer.get() in (any, all):
            _into_a_search(func_ir, _consumer.get() is any)
        else:
            _into_a_list(func_ir)
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
    """Return ``wanted`` at the first value with that truth, or its opposite if there is none."""
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
    """End ``block`` by returning ``answer``."""
    result = block.scope.redefine("$answer", loc=loc)
    block.body += [ir.Assign(ir.Const(answer, loc), result, loc), ir.Return(result, loc)]


inline_closurecall.callee_ir_validator = _without_yield
inline_closurecall.InlineClosureCallPass._inline_closure = _inline_expression
