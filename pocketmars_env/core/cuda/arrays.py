"""Validation of array arguments, and copying of NumPy arrays to the GPU."""

from typing import Any

import numpy as np


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
