"""Compilation for the GPU: CUDA kernels, and CPU kernels that become device functions for CUDA kernels.

CPU kernels are the functions that Numba compiles for the CPU. When Numba compiles a CUDA kernel, it looks up
the type of each function that the kernel calls. `install` changes this lookup so that it replaces CPU kernels
with device functions. CPU kernels cannot be used directly, for three reasons:

- Numba's CUDA target does not support some options that `compiling.py` sets (``nogil``,
  ``no_cfunc_wrapper``, ``error_model``);
- calls to `compiled_apart` kernels (see `apart.py`) jump to machine code for the CPU;
- integer arguments must be widened, as in `compiling.compile_once`.

The machine code of CUDA kernels is cached in a subfolder of the cache folder for CPU kernels; see
`compiling.py`. In Numba's CUDA simulator, CUDA kernels are plain Python functions, and `install` does
nothing.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from pocketmars_env.core.compiled.apart import python_function_of
from pocketmars_env.core.compiled.compiling import PACKAGES, cache_folder_of, hash_of_sources, widened
from pocketmars_env.core.compiled.kernel_cache import kernel_cache
from pocketmars_env.core.cuda.device import cuda_module

Function = Callable[..., Any]


def device_kernel(function: Function, lto: bool | None = None) -> Any:
    """Return a CUDA kernel, which is compiled or loaded from the cache on its first launch."""
    cuda = cuda_module()
    if cuda.config.ENABLE_CUDASIM:
        return cuda.jit(function)
    from numba.cuda.dispatcher import CUDACache  # absent in the simulator

    dispatcher = cuda.jit(lto=lto)(function)
    folder = cache_folder_of(function) / f"cuda-{hash_of_sources(Path(__file__).parent)}"
    dispatcher._cache = kernel_cache(function, folder, CUDACache)
    return dispatcher


@cache
def install() -> None:
    """Make CPU kernels callable from CUDA kernels; calling `install` again has no effect."""
    cuda = cuda_module()
    if cuda.config.ENABLE_CUDASIM:
        return
    from numba.cuda.target import CUDATypingContext  # absent in the simulator

    typing: Any = CUDATypingContext
    type_of = typing.resolve_value_type

    def type_on_device(context: Any, value: Any) -> Any:
        function = source_of(value)
        return type_of(context, value if function is None else device_function(function))

    typing.resolve_value_type = type_on_device


def source_of(value: Any) -> Function | None:
    """Return the Python function of `value` if it is a kernel or function of this project, else None."""
    function = python_function_of(value)
    is_own = isinstance(function, FunctionType) and function.__module__.partition(".")[0] in PACKAGES
    return function if is_own else None


@cache
def device_function(function: Function) -> Any:
    """Return a dispatcher that compiles a Python function as a device function."""
    from numba.cuda.dispatcher import CUDADispatcher  # absent in the simulator

    class DeviceFunction(CUDADispatcher):
        """A device function whose integer arguments are 64 bits wide."""

        def compile_device(self, args: tuple[Any, ...], return_type: Any = None) -> Any:
            return super().compile_device(widened(args), return_type)

    return DeviceFunction(function, {"device": True, "debug": False, "opt": True})
