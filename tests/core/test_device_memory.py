"""Memory on a GPU is reused if nothing uses it any more. The GPU is replaced by numbered pieces of memory."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pocketmars_env.core.cuda.memory import Memory


class Cuda:
    """Allocates pieces of memory; an array is its piece's number, and keeps the owner of the memory alive."""

    config = SimpleNamespace(ENABLE_CUDASIM=False)
    allocated = 0

    def device_array(self, shape: tuple[int, ...], dtype: Any) -> Any:
        self.allocated += 1
        return SimpleNamespace(__cuda_array_interface__=self.allocated)

    def as_cuda_array(self, owner: Any) -> Any:
        return SimpleNamespace(piece=owner.__cuda_array_interface__, owner=owner)


@pytest.fixture
def memory() -> Memory:
    return Memory(Cuda())


def test_arrays_that_exist_at_the_same_time_share_no_memory(memory: Memory) -> None:
    arrays = [memory.empty(np.int64, (3,)) for _ in range(4)]
    assert [array.piece for array in arrays] == [1, 2, 3, 4]


def test_memory_is_reused_if_its_array_no_longer_exists(memory: Memory) -> None:
    first, second = memory.empty(np.int64, (3,)), memory.empty(np.int64, (3,))
    del first
    assert memory.empty(np.int64, (3,)).piece == 1
    assert second.piece == 2


def test_memory_is_not_reused_while_another_array_shares_it(memory: Memory) -> None:
    array = memory.empty(np.int64, (3,))
    part = SimpleNamespace(owner=array.owner)
    del array
    assert memory.empty(np.int64, (3,)).piece == 2
    del part
    assert memory.empty(np.int64, (3,)).piece in (1, 2)


@pytest.mark.parametrize(("dtype", "shape"), [(np.int8, (3,)), (np.int64, (3, 1)), (np.int64, (4,))])
def test_memory_is_reused_only_for_the_same_dtype_and_shape(memory: Memory, dtype: Any, shape: Any) -> None:
    memory.empty(np.int64, (3,))
    assert memory.empty(dtype, shape).piece == 2
