"""How Numba compiles our functions.

Python calls only entries (``bridge.entry``); compiled code calls all other functions.  Numba does not know that: it
makes every function callable from Python and C, and optimises it together with everything it calls, again at every
level.  Here an inner function stays as it was lowered.  Its entry links in all inner functions, each once, optimises
them together and makes machine code.

To infer the type of a recursive call, Numba infers the whole function again, for every such call.  Here it does so
once for each function.

A cold search takes about 40 % of the time that it takes with Numba's own pipeline.
"""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import _dynfunc
from numba.core import typed_passes, typeinfer
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.environment import lookup_environment

ENVIRONMENT = "_ZN08NumbaEnv"
"""The start of the names of variables that hold the constants of a function."""


# ---------------------------------------------------------------------------------------------------------------------
# Types
# ---------------------------------------------------------------------------------------------------------------------


class _Inferer(typeinfer.TypeInferer):
    """Type inference that finds out only once what a recursive function returns."""

    _returned: Any = None

    def return_types_from_partial(self) -> Any:
        if self._returned is None:
            self._returned = super().return_types_from_partial()
        return self._returned


@register_pass(mutates_CFG=True, analysis_only=False)
class _Inference(typed_passes.NopythonTypeInference):
    _name = "plywise_type_inference"

    def run_pass(self, state: Any) -> bool:
        # Numba has no other way to hand over an inferer.  Its global lock is held here, so no other thread compiles.
        usual, typeinfer.TypeInferer = typeinfer.TypeInferer, _Inferer
        try:
            return bool(super().run_pass(state))
        finally:
            typeinfer.TypeInferer = usual


# ---------------------------------------------------------------------------------------------------------------------
# Code
# ---------------------------------------------------------------------------------------------------------------------


_homes: weakref.WeakValueDictionary[str, _InnerLibrary] = weakref.WeakValueDictionary()
"""The library of each inner function, by the function's name."""


class _InnerLibrary(JITCodeLibrary):
    """The code of one inner function."""

    apart = False
    """Whether the function must not be inlined."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.called_back: set[str] = set()
        """Functions called recursively.  Numba does not tell their libraries, which may not exist yet."""

    def add_ir_module(self, module: ir.Module) -> None:
        self.called_back |= _call_directly(module)
        for function in module.functions:
            if function.blocks:
                _homes[function.name] = self
                if self.apart:
                    function.attributes.add("noinline")
        super().add_ir_module(module)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        module = self._final_module.clone()
        for function in module.functions:
            if not function.is_declaration:
                function.linkage = "weak_odr"  # so that it is linked in before something calls it
        return module


class _EntryLibrary(JITCodeLibrary):
    """The code of an entry and of all functions that it reaches.  Nothing calls an entry back."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        module = self._final_module
        own = {function.name for function in module.functions if not function.is_declaration}
        # Numba's own libraries come last: of these, only functions that something calls are linked in.
        for library in sorted(_reached(self), key=lambda library: not isinstance(library, _InnerLibrary)):
            self._reload_init.update(library._reload_init)
            module.link_in(library._get_module_for_linking(), preserve=True)
        for function in module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = "internal"  # so that it can be dropped once it is inlined everywhere
        self._optimize_final_module()
        module.verify()
        self._finalize_final_module()


def _reached(library: Any) -> Iterator[Any]:
    """Yield the libraries that ``library`` needs, each once."""
    waiting, seen = list(library._linking_libraries), set()
    while waiting:
        other = waiting.pop()
        if id(other) not in seen:
            seen.add(id(other))
            yield other
            if isinstance(other, _InnerLibrary):  # Numba's own libraries contain what they need
                waiting.extend(other._linking_libraries)
                waiting.extend(_homes[name] for name in other.called_back)


def _call_directly(module: ir.Module) -> set[str]:
    """Make recursive calls direct; return the names of the called functions.

    Numba makes them through a pointer, which it sets when all functions are compiled, but not when it loads them from
    disk.  Here the pointer is a constant, which LLVM turns into the function.
    """
    called = set()
    for function in list(module.functions):
        for block in function.blocks:
            for call in block.instructions:
                pointer = _pointer_of(call) if isinstance(call, ir.CallInstr) else None
                if pointer is not None:
                    name = pointer.name.removeprefix(RuntimeLinker.PREFIX)
                    target = module.globals.get(name) or ir.Function(module, call.callee.type.pointee, name)
                    pointer.linkage, pointer.global_constant = "internal", True
                    pointer.initializer = target.bitcast(pointer.value_type)
                    called.add(name)
    return called


def _pointer_of(call: ir.CallInstr) -> ir.GlobalVariable | None:
    """Return the variable that Numba would set to the address of the called function; None for a direct call."""
    value = call.callee
    while isinstance(value, (ir.CastInstr, ir.LoadInstr)):
        value = value.operands[0]
    is_set_later = isinstance(value, ir.GlobalVariable) and value.name.startswith(RuntimeLinker.PREFIX)
    return value if is_set_later else None


# ---------------------------------------------------------------------------------------------------------------------
# Passes
# ---------------------------------------------------------------------------------------------------------------------


class _Compiler(CompilerBase):
    LIBRARY: type[JITCodeLibrary]
    AFTER_LOWERING: type[LoweringPass]

    def define_pipelines(self) -> list[PassManager]:
        state = self.state
        if state.library is None:
            state.library = self.LIBRARY(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        pipeline = DefaultPassBuilder.define_nopython_pipeline(state)
        usual = typed_passes.NopythonTypeInference
        pipeline.passes = [(_Inference if each is usual else each, text) for each, text in pipeline.passes]
        pipeline.add_pass_after(self.AFTER_LOWERING, typed_passes.NativeLowering)
        pipeline.finalize()
        return [pipeline]


@ctypes.PYFUNCTYPE(ctypes.c_void_p)
def _refuse() -> None:
    """What Python calls instead of an inner function: it returns NULL, which is a SystemError and not a crash."""


@register_pass(mutates_CFG=False, analysis_only=False)
class _Callable(LoweringPass):
    """Let compiled code call an inner function."""

    _name = "plywise_callable"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        lowered = state["cr"]
        name = lowered.fndesc.qualname.rpartition(".")[2]
        address = ctypes.cast(_refuse, ctypes.c_void_p).value
        stub = _dynfunc.make_function(sys.modules[__name__], name, "inner", address, lowered.env, (state.library,))
        state.targetctx.insert_user_function(stub, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=stub)
        return True


class InnerCompiler(_Compiler):
    """Compiles a function that only compiled code calls."""

    LIBRARY = _InnerLibrary
    AFTER_LOWERING = _Callable

    def define_pipelines(self) -> list[PassManager]:
        pipelines = super().define_pipelines()
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        self.state.library.apart = self.state.func_id.func.__dict__.get("apart", False)
        return pipelines


@register_pass(mutates_CFG=False, analysis_only=False)
class _Environments(LoweringPass):
    """Give the inner functions in an entry their constants."""

    _name = "plywise_environments"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        for variable in state.library._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if environment is not None:
                state.library.codegen.set_env(variable.name, environment)
        return True


class EntryCompiler(_Compiler):
    """Compiles a function that Python calls."""

    LIBRARY = _EntryLibrary
    AFTER_LOWERING = _Environments

    def define_pipelines(self) -> list[PassManager]:
        self.state.flags.no_cfunc_wrapper = True
        return super().define_pipelines()


class AddressCompiler(EntryCompiler):
    """Compiles a function that only compiled code calls, by its address."""

    def define_pipelines(self) -> list[PassManager]:
        self.state.flags.no_cpython_wrapper = True
        return super().define_pipelines()
