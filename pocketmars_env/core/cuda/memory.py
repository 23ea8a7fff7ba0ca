"""Arrays in GPU memory.

Memory is reused: allocating it takes longer than most kernels, and freeing it waits for the GPU.
"""

import weakref
from collections import defaultdict
from typing import Any

import numpy as np

Array = Any
"""An array on the device; it supports ``__cuda_array_interface__``.

``torch.as_tensor(array, device="cuda")`` shares the array's memory.
"""


class Owner:
    """The owner of an array's memory; it exists as long as anything uses the memory."""

    def __init__(self, array: Array) -> None:
        self.__cuda_array_interface__ = array.__cuda_array_interface__


class Memory:
    """Allocates arrays on the device; memory that is no longer used is kept for later arrays.

    Work queued for an earlier array is done before work for a later array in the same memory, because all
    work is queued on the default stream.

    Args:
        cuda: the module `numba.cuda`.

    """

    def __init__(self, cuda: Any) -> None:
        self._cuda = cuda
        self._unused: defaultdict[tuple[np.dtype[Any], tuple[int, ...]], list[Array]] = defaultdict(list)

    def empty(self, dtype: Any, shape: tuple[int, ...]) -> Array:
        """Return an uninitialized array."""
        if self._cuda.config.ENABLE_CUDASIM:  # the simulator's arrays are in host memory
            return self._cuda.device_array(shape, dtype=dtype)
        unused = self._unused[np.dtype(dtype), shape]
        array = unused.pop() if unused else self._cuda.device_array(shape, dtype=dtype)
        owner = Owner(array)
        weakref.finalize(owner, unused.append, array)
        return self._cuda.as_cuda_array(owner)


def device_array_of(cuda: Any, name: str, values: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Check `values`, and return it as a contiguous array on the device; device arrays are not copied."""
    array = values
    if isinstance(values, np.ndarray):
        array = np.ascontiguousarray(values)
    elif not cuda.cudadrv.devicearray.is_cuda_ndarray(values):
        if not hasattr(values, "__cuda_array_interface__"):
            actual = type(values).__name__
            raise ValueError(f"{name} must be an array on the device or a NumPy array, got {actual}")
        array = cuda.as_cuda_array(values)
    if tuple(array.shape) != shape or array.dtype != dtype:
        actual = f"{array.dtype} of shape {tuple(array.shape)}"
        raise ValueError(f"{name} must be {dtype} of shape {shape}, got {actual}")
    if isinstance(array, np.ndarray):
        return cuda.to_device(array)
    if not array.is_c_contiguous():
        raise ValueError(f"{name} must be contiguous")
    return array
