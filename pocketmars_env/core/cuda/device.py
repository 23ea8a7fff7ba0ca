"""Access to Numba's CUDA target, with one-line error messages if numba-cuda or a GPU is missing."""

from functools import cache
from importlib.util import find_spec
from typing import Any

from pocketmars_env.core.errors import NoDevice, how_to_install


@cache
def cuda_module() -> Any:
    """Import and return the module `numba.cuda` of the package `numba-cuda`."""
    if find_spec("numba_cuda") is None:
        raise NoDevice(f"games on a GPU need numba-cuda; {how_to_install('cuda')}")
    from numba import cuda  # installed only with the extra `cuda`

    return cuda


def available_device() -> Any:
    """Return the module `numba.cuda` if a CUDA device or Numba's CUDA simulator is available."""
    cuda = cuda_module()
    if not cuda.is_available():
        raise NoDevice("no CUDA device was found: games on a GPU need an NVIDIA GPU and its driver")
    return cuda


def launch(
    kernel: Any, blocks: int, threads: int | tuple[int, int], *arguments: Any, shared_bytes: int = 0
) -> None:
    """Launch a CUDA kernel without Numba's warning about too few blocks: users may want only a few games."""
    config = cuda_module().config
    previous, config.CUDA_LOW_OCCUPANCY_WARNINGS = config.CUDA_LOW_OCCUPANCY_WARNINGS, 0
    try:
        configured = kernel[blocks, threads, 0, shared_bytes]
    finally:
        config.CUDA_LOW_OCCUPANCY_WARNINGS = previous
    configured(*arguments)


def has_device() -> bool:
    """Return whether games can run on a GPU in this machine or in Numba's CUDA simulator."""
    try:
        available_device()
    except NoDevice:
        return False
    return True
