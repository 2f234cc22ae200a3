"""Features of named tuples that Numba lacks: field defaults, and ``state._replace(left=3)``."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numba
from numba import types
from numba.core import cgutils, imputils
from numba.core.errors import NumbaTypeError
from numba.core.typing import signature, templates
from numba.extending import lower_builtin


@functools.cache
def constructor(cls: Any) -> Any:
    """Return a compiled function that makes a ``cls`` from its fields; fields with defaults may be omitted."""
    fields = ", ".join(cls._fields)
    scope = {"make": cls}
    exec(f"def {cls.__name__}({fields}): return make({fields})", scope)
    scope[cls.__name__].__defaults__ = tuple(cls._field_defaults.values())
    return numba.njit(scope[cls.__name__])


@templates.infer_getattr
class _Replaceable(templates.AttributeTemplate):
    key = types.BaseNamedTuple

    def resolve__replace(self, kind: Any) -> types.Type:
        """Give ``_replace`` all fields as optional parameters."""
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
