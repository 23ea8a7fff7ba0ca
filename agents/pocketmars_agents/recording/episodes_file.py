"""Writer for Minari's HDF5 file, in which each episode is a group of arrays with metadata as attributes.

Minari itself writes an episode with about twenty calls to h5py's high-level API, which spend much time on
checks and conversions. This module takes a tenth of the time, because it uses the low-level API and a faster
compressor for the same format. Groups and arrays are created without names and linked afterwards, so that
HDF5 stores the links together and need not look up names.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.extras import imported_data

FORMAT_VERSION = "v110"
"""The version of the HDF5 file format; HDF5 1.10 (2016) and later versions can read the files."""
COMPRESSION = 1
"""The compression level: the fastest one that finds repeated rows. Higher levels save little more space."""
METADATA_BLOCK = 2**20
"""The minimum size in bytes of the blocks in which HDF5 stores metadata, such as groups and headers."""
CACHE_SLOTS = 1
"""The number of slots in the chunk cache of an array; the cache is unused, as chunks are written directly."""
MAX_COMPACT = 32 * 1024
"""The maximum size in bytes of an uncompressed array that is stored in its object header.

The limit of HDF5 itself is just under 64 KiB.
"""


class EpisodesFile:
    """Writes episodes to an HDF5 file, one at a time."""

    def __init__(self, path: Path) -> None:
        self._h5 = imported_data("h5py")
        self._compress = imported_data("isal.isal_zlib").compress
        self._types: dict[Any, Any] = {}
        self._packed: dict[tuple[int, ...], tuple[Any, Any]] = {}
        self._shared: dict[tuple[type, int, float], Any] = {}
        self._scalar = self._h5.h5s.create(self._h5.h5s.SCALAR)
        self._text = self._h5.h5t.py_create(self._h5.string_dtype(), logical=True)
        self._text_in_memory = self._h5.h5t.py_create(self._h5.string_dtype())
        self._long, self._short = self._settings(), self._settings()
        self._short.set_layout(self._h5.h5d.COMPACT)
        self._group_settings = self._h5.h5p.create(self._h5.h5p.GROUP_CREATE)
        self._group_settings.set_obj_track_times(False)
        self._file = self._h5.File(
            path,
            "w",
            libver=(FORMAT_VERSION, FORMAT_VERSION),
            meta_block_size=METADATA_BLOCK,
            rdcc_nslots=CACHE_SLOTS,
        )
        self.episodes = 0

    def add(
        self,
        observations: NDArray[Any],
        masks: NDArray[np.int8],
        actions: NDArray[np.int64],
        reward: float,
        is_truncated: bool,
        metadata: Mapping[str, int | str],
    ) -> None:
        """Add an episode of T >= 1 steps.

        Args:
            observations: ``(T + 1, ...)``; the last entry is the observation in the final state.
            masks: ``(T + 1, ...)`` action masks, in the order of `observations`.
            actions: ``(T,)`` int64 actions.
            reward: the reward of the last step; all other steps have reward 0.
            is_truncated: whether the episode ends with a truncation; otherwise, it ends with a termination.
            metadata: the attributes of the episode; its number and length are added.

        """
        length = len(actions)
        group = self._group(
            {
                b"observations": self._packed_array(observations),
                b"infos": self._group({b"action_mask": self._packed_array(masks)}),
                b"actions": self._array(actions),
                b"rewards": self._shared_array(length, float(reward)),
                b"terminations": self._shared_array(length, not is_truncated),
                b"truncations": self._shared_array(length, is_truncated),
            }
        )
        for name, value in {"id": self.episodes, "total_steps": length, **metadata}.items():
            self._set(group, name.encode(), value)
        self._h5.h5o.link(group, self._file.id, f"episode_{self.episodes}".encode())
        self.episodes += 1

    def close(self) -> None:
        """Write buffered data and close the file; raise an OSError if the file cannot be written."""
        self._file.close()

    def _settings(self) -> Any:
        """Return creation properties for arrays, without timestamps, so that equal games give equal files."""
        settings = self._h5.h5p.create(self._h5.h5p.DATASET_CREATE)
        settings.set_obj_track_times(False)
        return settings

    def _type(self, dtype: np.dtype[Any]) -> Any:
        if dtype not in self._types:
            self._types[dtype] = self._h5.h5t.py_create(dtype, logical=True)
        return self._types[dtype]

    def _group(self, members: Mapping[bytes, Any]) -> Any:
        """Create an unnamed group with the given members, which are groups or arrays."""
        group = self._h5.h5g.create(self._file.id, None, gcpl=self._group_settings)
        for name, member in members.items():
            self._h5.h5o.link(member, group, name)
        return group

    def _set(self, group: Any, name: bytes, value: int | str) -> None:
        """Set an attribute of a group."""
        if isinstance(value, str):
            h5_type, memory_type, cell = self._text, self._text_in_memory, np.array(value, dtype=object)
        else:
            h5_type = memory_type = self._type(np.dtype(np.int64))
            cell = np.array(value)
        self._h5.h5a.create(group, name, h5_type, self._scalar).write(cell, memory_type)

    def _array(self, array: NDArray[Any]) -> Any:
        """Write an array without compression, and return the HDF5 dataset."""
        h5 = self._h5
        h5_type, space = self._type(array.dtype), h5.h5s.create_simple(array.shape)
        settings = self._short if array.nbytes <= MAX_COMPACT else self._long
        data = h5.h5d.create(self._file.id, None, h5_type, space, settings)
        data.write(h5.h5s.ALL, h5.h5s.ALL, array, h5_type)
        return data

    def _packed_array(self, array: NDArray[Any]) -> Any:
        """Write an array as a single compressed chunk, and return the HDF5 dataset."""
        if array.shape not in self._packed:
            settings = self._settings()
            settings.set_chunk(array.shape)
            settings.set_deflate(COMPRESSION)
            self._packed[array.shape] = self._h5.h5s.create_simple(array.shape), settings
        space, settings = self._packed[array.shape]
        data = self._h5.h5d.create(self._file.id, None, self._type(array.dtype), space, settings)
        data.write_direct_chunk((0,) * array.ndim, self._compress(array.data, COMPRESSION))
        return data

    def _shared_array(self, length: int, last: float) -> Any:
        """Return an HDF5 dataset of zeros, except for `last` at the end; equal arrays share one dataset."""
        key = type(last), length, last
        if key not in self._shared:
            array = np.zeros(length, dtype=type(last))
            array[-1] = last
            self._shared[key] = self._array(array)
        return self._shared[key]
