"""Linking of kernels into their callers, so that kernels need no machine code of their own.

Normally, the machine code of a compiled function includes all functions that it calls, and Numba generates
this code even if Python never calls the function. Hundreds of small kernels that call each other would thus
each be compiled about five times. With this module, a kernel remains LLVM IR until it is linked into an entry
point (a function that Python calls) or a separately compiled kernel (see `apart.py`). The module uses private
classes and options of Numba; if any is missing, kernels are compiled as usual, which takes longer.
"""

import functools
from typing import Any

import numba
from numba.core import codegen, compiler, compiler_machinery, typed_passes
from numba.core.options import DefaultOptions
from numba.core.registry import CPUDispatcher

JIT: Any = numba.njit  # some of its options have no types

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
        """Link the called functions into this library, which is optimized only when a caller is compiled."""
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
        """Register the kernel under a key; the key must be a built-in function, which is never called."""
        key = list[Any]().append
        state["cr"] = state["cr"]._replace(cfunc=key)
        state.targetctx.insert_user_function(key, state["cr"].fndesc, [state.library])
        return False


class KernelCompiler(compiler.CompilerBase):
    """A Numba compiler that stops before it generates machine code."""

    def define_pipelines(self) -> list[Any]:
        """Return Numba's compiler passes, with `MakeCallable` added after `NativeLowering`."""
        state = self.state
        state.flags.no_compile = True
        state.library = LinkableLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(state)
        passes.add_pass_after(MakeCallable, typed_passes.NativeLowering)
        passes.finalize()
        return [passes]


class Kernel(CPUDispatcher):
    """The dispatcher of a kernel that is linked into its callers."""

    def __call__(self, *arguments: Any) -> Any:
        """Call the kernel from Python, as tests do; the first call compiles the kernel separately."""
        return self.by_itself(*arguments)

    @functools.cached_property
    def by_itself(self) -> Any:
        """The kernel with separate machine code, so that Python can call it."""
        return JIT(error_model="numpy")(self.py_func)


def linked(function: Any, options: dict[str, Any]) -> Any:
    """Return a kernel that is linked into its callers, or compiled as usual if `IS_POSSIBLE` is false."""
    if not IS_POSSIBLE:
        return JIT(**options)(function)
    kernel = JIT(**options, no_cpython_wrapper=True, pipeline_class=KernelCompiler)(function)
    kernel.__class__ = Kernel
    return kernel
