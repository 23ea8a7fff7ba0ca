"""Files for browsers and Node: a game's kernels as WebAssembly, and a script that calls them."""

import base64
import json
import multiprocessing
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.wasm.compiler import compile_module

RECORDS, KERNELS = (Path(__file__).parent / name for name in ("records.js", "kernels.js"))
RULES = ("new_game_at", "step_at", "legal_at", "scores_at", "observe_at", "determinize_at")
"""The entry points of `batch.py` that `kernels.js` calls."""
ALIGNMENT = 8
"""Every array in a file begins at a multiple of this number of bytes."""
HALVED = 4096
"""Arrays of float32 with at least this many entries can be stored as bfloat16."""

EntryPoints = Callable[[GameSpec], Mapping[str, Any]]


def build(
    spec: GameSpec,
    entry_points: EntryPoints,
    tables: Mapping[str, Any],
    scripts: Iterable[Path],
    folder: Path,
) -> None:
    """Write ``NAME.wasm`` and ``NAME.js`` for the game NAME into a folder.

    `entry_points` returns more entry points than those of the rules, keyed by name. It is called in another
    process, so it must be at the top level of a module. The JavaScript files `scripts` extend `kernels.js`
    and find `tables`, nested arrays and plain data, under ``this.tables``.
    """
    configs = {
        name: {"record": spec.codec.blank(1, config), "seats": config.seats}
        for name, config in spec.config.measured().items()
    }
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        module, results = process.submit(compiled, spec, entry_points).result()
    description, content = described({"configs": configs, **tables})
    constants = {
        "STATE": layout_of(spec.state),
        "NUM_ACTIONS": spec.num_actions,
        "MAX_SEATS": spec.max_seats,
        "OBSERVATION_SIZE": spec.observation_size,
        "RESULTS": results,
        "TABLES": description,
        "CONTENT": base64.b64encode(content).decode(),
    }
    lines = [
        f"(globalThis.pocketmars ??= {{}}).{spec.name} = (() => {{",
        '"use strict";',
        *(f"const {name} = {compact(value)};" for name, value in constants.items()),
        *(script.read_text(encoding="utf-8") for script in (RECORDS, KERNELS, *scripts)),
        *("return load;", "})();", ""),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{spec.name}.wasm").write_bytes(module)
    (folder / f"{spec.name}.js").write_text("\n".join(lines), encoding="utf-8")


def compiled(spec: GameSpec, entry_points: EntryPoints) -> tuple[bytes, dict[str, str]]:
    """Return the module with the entry points of a game, and the types of their results."""
    functions = {name: getattr(spec.batch, name) for name in RULES} | dict(entry_points(spec))
    return compile_module({name: function.py_func for name, function in functions.items()}, spec.state)


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def layout_of(dtype: np.dtype[Any]) -> Any:
    """Return the layout of a record as plain data; a field is ``[offset, layout, *shape]``."""
    if dtype.fields is None:
        return dtype.str
    fields = {name: (dtype[name], offset) for name, (_, offset, *_) in dtype.fields.items()}
    return {
        "size": dtype.itemsize,
        "fields": {
            name: [offset, layout_of(part.base), *part.shape] for name, (part, offset) in fields.items()
        },
    }


def described(value: Any, is_halved: bool = False) -> tuple[Any, bytes]:
    """Return a description of nested arrays and plain data as plain data, and the content of the arrays.

    An array of zeros has no content. If `is_halved` is true, large arrays of float32 are stored as bfloat16.
    """
    content = bytearray()

    def describe(part: Any) -> Any:
        if hasattr(part, "_asdict"):
            part = part._asdict()
        if isinstance(part, Mapping):
            return {name: describe(inner) for name, inner in part.items()}
        if not isinstance(part, np.ndarray):
            return [describe(inner) for inner in part] if isinstance(part, tuple | list) else part
        data = np.ascontiguousarray(part).tobytes()
        found: dict[str, Any] = {"dtype": part.dtype.str, "shape": part.shape}
        if not any(data):
            return found
        if is_halved and part.dtype == np.float32 and part.size >= HALVED:
            found["is_halved"] = True
            data = bfloat16(part).tobytes()
        content.extend(bytes(-len(content) % ALIGNMENT))
        found["at"] = len(content)
        content.extend(data)
        return found

    return describe(value), bytes(content)


def bfloat16(array: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Return the upper halves of the nearest numbers of which the lower 16 bits are 0."""
    bits = array.view(np.uint32)
    return ((bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def packed(value: Any) -> bytes:
    """Return arrays and plain data as a file: the length of the description, the description, the content."""
    description, content = described(value, is_halved=True)
    text = compact(description).encode()
    text += b" " * (-(len(text) + 4) % ALIGNMENT)
    return len(text).to_bytes(4, "little") + text + content
