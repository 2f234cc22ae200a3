"""Named tuples in compiled code: defaults of fields, methods, and ``state._replace(left=3)``, which Numba lacks."""

from __future__ import annotations

import functools
import inspect
import types as python_types
from typing import Any

import numba
from numba import types
from numba.core import cgutils, imputils
from numba.core.errors import NumbaTypeError
from numba.core.registry import cpu_target
from numba.core.typing import signature, templates
from numba.extending import lower_builtin, lower_getattr

from plywise.compiling.fingerprint import GENERATED, members, plain
from plywise.compiling.native import is_constant, without_enums


@functools.cache
def constructor(cls: Any) -> Any:
    """Return a compiled function that makes a ``cls`` from its fields, of which those with defaults may be left out."""
    fields = ", ".join(cls._fields)
    scope = {"make": cls}
    exec(f"def {cls.__name__}({fields}): return make({fields})", scope)
    scope[cls.__name__].__defaults__ = tuple(cls._field_defaults.values())
    return numba.njit(scope[cls.__name__])


def _member(kind: Any, name: str) -> Any:
    """Return a method, property or constant that the class of a named tuple defines; None for its fields."""
    return None if name in GENERATED or name in kind.fields else members(kind.instance_class).get(name)


@templates.infer_getattr
class _Methods(templates.AttributeTemplate):
    key = types.BaseNamedTuple

    def generic_resolve(self, kind: Any, name: str) -> types.Type | None:
        from plywise.compiling.bridge import constant_type, dispatcher  # which needs this module

        member = _member(kind, name)
        if isinstance(member, (property, staticmethod)) or is_constant(member):
            _announce_attribute(name)
        if is_constant(member):
            return constant_type(name, without_enums(member))
        if not isinstance(plain(member), python_types.FunctionType) or isinstance(member, classmethod):
            return None
        if isinstance(member, staticmethod):
            return types.Dispatcher(dispatcher(plain(member)))
        if isinstance(member, property):
            return types.Dispatcher(dispatcher(plain(member))).get_call_type(self.context, (kind,), {}).return_type
        _announce_method(name)

        class Method(templates.AbstractTemplate):
            key = (types.BaseNamedTuple, name)

            def generic(self, arguments, keywords):
                called = types.Dispatcher(dispatcher(_member(kind, name)))
                return called.get_call_type(self.context, (kind, *arguments), keywords).as_method()

        return types.BoundFunction(Method, kind)

    def resolve__replace(self, kind: Any) -> types.Type:
        """To Numba, ``_replace`` has all fields as parameters, which may be omitted."""
        either = inspect.Parameter.POSITIONAL_OR_KEYWORD
        pysig = inspect.Signature([inspect.Parameter(name, either, default=None) for name in kind.fields])

        class Replace(templates.AbstractTemplate):
            key = (types.BaseNamedTuple, "_replace")

            def generic(self, arguments, keywords):
                if arguments or not keywords.keys() <= set(kind.fields):
                    raise NumbaTypeError(f"_replace takes fields by their names: {', '.join(kind.fields)}")
                given = [types.unliteral(keywords.get(name, types.Omitted(None))) for name in kind.fields]
                fields = [old if isinstance(new, types.Omitted) else new for old, new in zip(kind, given, strict=True)]
                result = types.BaseTuple.from_types(fields, kind.instance_class)
                return signature(result, *given, recvr=kind).replace(pysig=pysig)

        return types.BoundFunction(Replace, kind)


@lower_builtin((types.BaseNamedTuple, "_replace"), types.BaseNamedTuple, types.VarArg(types.Any))
def _replace(context, builder, call, arguments):
    old = cgutils.unpack_tuple(builder, arguments[0])
    fields = zip(old, arguments[1:], call.args[1:], strict=True)
    values = [before if isinstance(given, types.Omitted) else after for before, after, given in fields]
    value = context.make_tuple(builder, call.return_type, values)
    return imputils.impl_ret_borrowed(context, builder, call.return_type, value)


@functools.cache
def _announce_method(name: str) -> None:
    """Tell Numba how to call methods of this name on any named tuple."""
    from plywise.compiling.bridge import call_function

    @lower_builtin((types.BaseNamedTuple, name), types.BaseNamedTuple, types.VarArg(types.Any))
    def call_method(context, builder, call, arguments):
        return call_function(context, builder, _member(call.args[0], name), call, arguments)


@functools.cache
def _announce_attribute(name: str) -> None:
    """Tell Numba how to read an attribute of this name of any named tuple; of some it may be a field."""
    from plywise.compiling.bridge import call_function, dispatcher

    @lower_getattr(types.BaseNamedTuple, name)
    def read(context, builder, kind, value):
        member = _member(kind, name)
        if member is None:
            place = kind.fields.index(name)
            field = builder.extract_value(value, place)
            return imputils.impl_ret_borrowed(context, builder, kind.types[place], field)
        if is_constant(member):
            constant = without_enums(member)
            return context.get_constant_generic(builder, numba.typeof(constant), constant)
        if isinstance(member, staticmethod):
            return context.get_dummy_value()
        called = types.Dispatcher(dispatcher(plain(member))).get_call_type(context.typing_context, (kind,), {})
        return call_function(context, builder, plain(member), called, [value])

    cpu_target.target_context.refresh()  # Numba itself looks for news of functions, but not of attributes
