"""Kernels that are compiled once, separately from their callers.

Normally, Numba generates the machine code of a kernel again for every entry point (a function that Python
calls) that uses the kernel, directly or indirectly. For the few large kernels that nearly all entry points
use, this repetition would take most of the compile time. `compiled_apart` compiles such a kernel once, stores
the machine code in the cache folder, and registers the code's address as a symbol. When a caller is loaded,
its calls to the kernel are linked to this symbol.
"""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import cgutils
from numba.extending import intrinsic

from pocketmars_env.core.compiled import compiling
from pocketmars_env.core.compiled.kernel_cache import SYMBOLS

VECTOR: Any = numba.types.Array(numba.float32, 1, "C")
"""The Numba type of a one-dimensional, contiguous float32 array."""

F = TypeVar("F", bound=Callable[..., Any])


OPTIONS = {**compiling.OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled_apart(*arguments: Any) -> Callable[[F], F]:
    """Return a decorator that compiles a kernel once, with the given argument types, for all its callers."""
    numba_types = tuple(
        VECTOR if dtype is VECTOR else numba.from_dtype(np.dtype(dtype)) for dtype in arguments
    )

    def decorate(function: F) -> F:
        return cast(F, Apart(function, numba_types).front) if compiling.IS_COMPILED else function

    return decorate


class Apart:
    """A separately compiled kernel; compiled code calls it through the Numba intrinsic `front`."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._dispatcher = compiling.cached(function, OPTIONS)
        self._arguments = arguments
        self._result: Any = None
        folder = compiling.cache_folder_of(function).name
        self._symbol = f"kernel<{function.__module__}.{function.__name__}.{folder}>"  # matches SYMBOL
        SYMBOLS[self._symbol.encode()] = self.ensure_compiled
        self.front = self._make_front(("context", *inspect.signature(function).parameters))
        self.front.py_func = function

    def _make_front(self, names: tuple[str, ...]) -> Any:
        """Return a Numba intrinsic that has the kernel's parameters and generates a call to the kernel."""

        def front(context: Any, *arguments: Any) -> tuple[Any, Any]:
            return self._call()

        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter(name, kind) for name in names]
        front.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return intrinsic(front)

    def ensure_compiled(self) -> Any:
        """Return the compiled kernel; Numba, which holds its compiler lock, is the only caller."""
        if self._result is None:
            self._dispatcher.compile(self._arguments)
            (self._result,) = self._dispatcher.overloads.values()
            name = self._result.fndesc.llvm_func_name
            llvm.add_symbol(self._symbol, self._result.library.get_pointer_to_function(name))
        return self._result

    def _call(self) -> tuple[Any, Any]:
        """Return the signature of the intrinsic, and the function that generates the call to the kernel."""
        result = self.ensure_compiled()
        signature = result.signature.return_type(*self._arguments)

        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            convention, kernel = context.call_conv, result.fndesc
            function_type = convention.get_function_type(kernel.restype, kernel.argtypes)
            function = cgutils.get_or_insert_function(builder.module, function_type, self._symbol)
            status, value = convention.call_function(
                builder, function, kernel.restype, kernel.argtypes, arguments
            )
            if compiling.CONFIG.BOUNDSCHECK:  # otherwise, kernels raise nothing
                with cgutils.if_unlikely(builder, status.is_error):
                    convention.return_status_propagate(builder, status)
            return value

        return signature, call


def python_function_of(value: Any) -> Any:
    """Return the Python function of a kernel, or any other value unchanged."""
    return getattr(value, "py_func", value)
