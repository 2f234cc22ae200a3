"""How Numba compiles our functions.

Python calls only entries (``bridge.entry``); every other function is called by compiled code.  Numba does not know
that: it makes every function callable from Python and C, and optimises it together with everything it calls, again at
every level.  Here an inner function stays as it was lowered.  Its entry links all inner functions in, each once,
optimises them together and makes machine code of them.

Numba infers the type of a recursive call by inferring the whole function again, for every such call.  Here once is
enough.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import _dynfunc
from numba.core import errors, typed_passes, typeinfer
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.environment import lookup_environment

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of variables begin that hold the constants of a function."""


class _Inferer(typeinfer.TypeInferer):
    """Type inference that asks only once what a function returns which calls itself."""

    _returned: Any = None

    def return_types_from_partial(self) -> Any:
        if self._returned is None:
            self._returned = super().return_types_from_partial()
        return self._returned


@register_pass(mutates_CFG=True, analysis_only=False)
class _Inference(typed_passes.NopythonTypeInference):
    _name = "plywise_type_inference"

    def run_pass(self, state: Any) -> bool:
        original = typeinfer.TypeInferer
        typeinfer.TypeInferer = _Inferer
        try:
            return super().run_pass(state)
        finally:
            typeinfer.TypeInferer = original


@register_pass(mutates_CFG=False, analysis_only=False)
class _Callable(LoweringPass):
    """Let compiled code call an inner function."""

    _name = "plywise_callable"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        lowered = state["cr"]
        name = lowered.fndesc.qualname.rpartition(".")[2]
        stub = _dynfunc.make_function(sys.modules[__name__], name, "inner function", 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(stub, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=stub)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class _Environments(LoweringPass):
    """Give the inner functions of an entry their constants."""

    _name = "plywise_environments"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        for variable in state.library._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    state.library.codegen.set_env(variable.name, environment)
        return True


class _Library(JITCodeLibrary):
    def add_ir_module(self, module: ir.Module) -> None:
        _call_directly(module)
        super().add_ir_module(module)


class InnerLibrary(_Library):
    """The code of an inner function, and nothing else."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            for function in self._shared_module.functions:
                if not function.is_declaration:
                    function.linkage = "weak_odr"
        return self._shared_module


class EntryLibrary(_Library):
    """The code of an entry with all functions that it reaches."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        module = self._final_module
        own = {function.name for function in module.functions if not function.is_declaration}
        for library in sorted(_linked(self), key=lambda each: not isinstance(each, InnerLibrary)):
            self._reload_init.update(library._reload_init)
            module.link_in(library._get_module_for_linking(), preserve=True)
        for function in module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = __import__("os").environ.get("LINK", "internal")
        import os
        for _ in range(int(os.environ.get("TWICE","1"))): self._optimize_final_module()
        module.verify()
        self._finalize_final_module()


def _linked(library: Any) -> Iterator[Any]:
    """Yield the libraries that ``library`` needs, each once."""
    waiting, seen = list(library._linking_libraries), set()
    while waiting:
        other = waiting.pop()
        if id(other) not in seen:
            seen.add(id(other))
            yield other
            if isinstance(other, InnerLibrary):
                waiting.extend(other._linking_libraries)


def _call_directly(module: ir.Module) -> None:
    """Let recursive calls be plain calls: Numba calls through a pointer that it sets when it has all functions."""
    for function in list(module.functions):
        for block in function.blocks:
            for call in block.instructions:
                if isinstance(call, ir.CallInstr):
                    pointer = _pointer_of(call)
                    if pointer is not None:
                        name = pointer.name.removeprefix(RuntimeLinker.PREFIX)
                        kind = call.callee.type.pointee
                        target = module.globals.get(name) or ir.Function(module, kind, name)
                        if __import__("os").environ.get("NOINL"): target.attributes.add("noinline")
                        pointer.linkage, pointer.global_constant = "internal", True
                        pointer.initializer = target.bitcast(pointer.value_type)


def _pointer_of(call: ir.CallInstr) -> ir.GlobalVariable | None:
    """Return the variable that holds the address of the called function, if Numba sets it later."""
    value = call.callee
    while isinstance(value, (ir.CastInstr, ir.LoadInstr)):
        value = value.operands[0]
    later = isinstance(value, ir.GlobalVariable) and value.name.startswith(RuntimeLinker.PREFIX)
    return value if later else None


class _Compiler(CompilerBase):
    LIBRARY: type[_Library]

    def define_pipelines(self) -> list[PassManager]:
        state = self.state
        if state.library is None:
            state.library = self.LIBRARY(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        pipeline = DefaultPassBuilder.define_nopython_pipeline(state)
        pipeline.passes = [
            (_Inference if each is typed_passes.NopythonTypeInference else each, text) for each, text in pipeline.passes
        ]
        self.extend(pipeline)
        pipeline.finalize()
        return [pipeline]

    def extend(self, pipeline: PassManager) -> None:
        """Add what this kind of function needs."""


class InnerCompiler(_Compiler):
    """Compiles what only compiled code calls."""

    LIBRARY = InnerLibrary

    def extend(self, pipeline: PassManager) -> None:
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        pipeline.add_pass_after(_Callable, typed_passes.NativeLowering)


class EntryCompiler(_Compiler):
    """Compiles what Python calls."""

    LIBRARY = EntryLibrary

    def extend(self, pipeline: PassManager) -> None:
        self.state.flags.no_cfunc_wrapper = True
        pipeline.add_pass_after(_Environments, typed_passes.NativeLowering)
