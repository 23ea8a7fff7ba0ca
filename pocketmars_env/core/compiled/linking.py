"""Linking of kernels into the kernels that call them, without separate machine code.

Numba generates machine code for every function together with all functions that it calls, even if only
compiled code calls the function. Hundreds of small kernels that call each other would thus be compiled about
five times each. With this module, a kernel remains LLVM IR until it is linked into an entry point. The module
uses private classes and options of Numba; if any is missing, kernels are compiled as usual, which takes
longer.
"""

import functools
from typing import Any

import numba
from numba.core import codegen, compiler, compiler_machinery, typed_passes
from numba.core.options import DefaultOptions
from numba.core.registry import CPUDispatcher

JIT: Any = numba.njit  # its options have no types

PARTS = (
    (codegen.JITCodeLibrary, ("_get_module_for_linking", "_raise_if_finalized", "_ensure_finalized")),
    (compiler.DefaultPassBuilder, ("define_nopython_pipeline",)),
    (compiler.Flags, ("no_compile",)),
    (DefaultOptions, ("no_cpython_wrapper", "no_cfunc_wrapper")),
)
"""The private attributes of Numba that this module uses."""
IS_POSSIBLE = all(hasattr(owner, name) for owner, names in PARTS for name in names)


class LinkableLibrary(codegen.JITCodeLibrary):
    """The LLVM IR of a kernel and of all functions that it calls."""

    def finalize(self) -> None:
        """Link the called kernels; LLVM optimizes the result as part of the callers."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


@compiler_machinery.register_pass(mutates_CFG=False, analysis_only=True)
class MakeCallable(compiler_machinery.AnalysisPass):
    """Compiler pass that lets other compiled functions call a kernel that has no machine code."""

    _name = "make_callable"

    def __init__(self) -> None:
        compiler_machinery.AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Register the kernel under a key, which must be a built-in function but is never called."""
        key = list[Any]().append
        state["cr"] = state["cr"]._replace(cfunc=key)
        state.targetctx.insert_user_function(key, state["cr"].fndesc, [state.library])
        return False


class KernelCompiler(compiler.CompilerBase):
    """Numba's compiler, stopped before it generates machine code."""

    def define_pipelines(self) -> list[Any]:
        """Numba's compiler passes, followed by `MakeCallable`."""
        state = self.state
        state.flags.no_compile = True
        state.library = LinkableLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(state)
        passes.add_pass_after(MakeCallable, typed_passes.NativeLowering)
        passes.finalize()
        return [passes]


class Kernel(CPUDispatcher):
    """The dispatcher of a kernel."""

    def __call__(self, *arguments: Any) -> Any:
        """Call the kernel from Python, as tests do; the first call compiles the kernel separately."""
        return self.by_itself(*arguments)

    @functools.cached_property
    def by_itself(self) -> Any:
        """The kernel with separate machine code, callable from Python."""
        return JIT(error_model="numpy")(self.py_func)


def linked(function: Any, options: dict[str, Any]) -> Any:
    """A kernel that is linked into its callers.

    Args:
        options: options of `numba.njit`.

    """
    if not IS_POSSIBLE:
        return JIT(**options)(function)
    kernel = JIT(**options, no_cpython_wrapper=True, pipeline_class=KernelCompiler)(function)
    kernel.__class__ = Kernel
    return kernel
