"""Writes the decision table, which has one row for each recorded decision, to a Parquet file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pocketmars_agents.extras import imported_data
from pocketmars_agents.recording.columns import (
    NONE,
    OBSERVATION_COLUMNS,
    Column,
    Rows,
    columns_with,
    mask_bytes,
    observation_cells,
)
from pocketmars_agents.recording.plan import Plan
from pocketmars_agents.recording.replay import Replays
from pocketmars_env.core.version import __version__

FILE = "decisions.parquet"


class ParquetWriter:
    """Writes the decision table to a Parquet file; each call to `write` adds a row group."""

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        has_observations: bool = False,
        own_columns: Sequence[Column] = (),
    ) -> None:
        self._arrow = imported_data("pyarrow")
        self._plan = plan
        self._has_observations = has_observations
        self._columns = columns_with(own_columns)
        self._texts = {column.name: self._arrow.array(column.texts(plan)) for column in self._columns}
        fields = [(column.name, self._type(column)) for column in self._columns]
        if has_observations:
            types = self._observation_types()
            fields += [(name, types[name]) for name in OBSERVATION_COLUMNS]
        about = {"pocketmars_env": json.dumps({"version": __version__, **plan.as_dict()})}
        self._schema = self._arrow.schema(fields, metadata=about)
        parquet = imported_data("pyarrow.parquet")
        self._file = parquet.ParquetWriter(folder / FILE, self._schema, compression="zstd")
        self._episodes = 0

    def write(self, replays: Replays) -> None:
        """Add the decisions of the replayed games; raise an OSError if the decisions cannot be written."""
        rows = Rows(self._plan, replays, self._episodes)
        cells = [self._cells(column, rows) for column in self._columns]
        if self._has_observations:
            cells += self._observation_cells(rows)
        self._file.write_table(self._arrow.Table.from_arrays(cells, schema=self._schema))
        self._episodes = int(rows.episodes().max()) + 1

    def finish(self) -> None:
        """Complete and close the file; raise an OSError if it cannot be written."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    # --- cells --------------------------------------------------------------------------------------

    def _type(self, column: Column) -> Any:
        arrow = self._arrow
        if column.type == "text":
            return arrow.dictionary(arrow.int32(), arrow.string())
        if column.type == "list":
            return arrow.list_(arrow.int16(), self._plan.config.seats)
        return arrow.from_numpy_dtype(np.dtype(column.type))

    def _cells(self, column: Column, rows: Rows) -> Any:
        arrow, cells = self._arrow, column.of(rows)
        if column.type == "text":
            numbers = cells.astype(np.int32)
            indices = arrow.array(numbers, mask=numbers == NONE)
            return arrow.DictionaryArray.from_arrays(indices, self._texts[column.name])
        if column.type == "list":
            values = arrow.array(cells.astype(np.int16).reshape(-1))
            return arrow.FixedSizeListArray.from_arrays(values, cells.shape[1])
        return arrow.array(cells.astype(column.type))

    def _observation_types(self) -> dict[str, Any]:
        arrow = self._arrow
        spec = self._plan.spec
        observation = arrow.list_(arrow.from_numpy_dtype(self._plan.dtype), spec.observation_size)
        return {"observation": observation, "action_mask": arrow.binary(mask_bytes(spec))}

    def _observation_cells(self, rows: Rows) -> list[Any]:
        arrow = self._arrow
        observations, masks = observation_cells(rows)
        values = arrow.array(observations.reshape(-1))
        packed = arrow.FixedSizeBinaryArray.from_buffers(
            arrow.binary(masks.shape[1]), len(masks), [None, arrow.py_buffer(masks)]
        )
        return [arrow.FixedSizeListArray.from_arrays(values, observations.shape[1]), packed]
