"""Types with which entry points (functions that Python calls) declare their arguments.

The annotations of an entry point are its only signature, so it can be compiled before it is called::

    @entry_point
    def scores_all(states: States, scores: Matrix[np.int64], winning: Vector[np.int64]) -> None:

An argument is a number (``int``, ``float``, ``bool`` or a NumPy type), a contiguous array, or a tuple. The
fields of a `NamedTuple` are annotated in the same way.
"""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import numba
import numpy as np
from numba.core import types
from numpy.typing import NDArray

Entry = TypeVar("Entry", bound=np.generic)

Vector = Annotated[NDArray[Entry], 1]
"""A one-dimensional array, such as ``Vector[np.int64]``."""
Matrix = Annotated[NDArray[Entry], 2]
"""A two-dimensional array."""


def signature_of(function: Callable[..., Any], state: np.dtype[Any]) -> tuple[Any, ...]:
    """Return the Numba types of an entry point's arguments for a game with records of the dtype `state`."""
    annotations = get_type_hints(function, include_extras=True)
    return tuple(numba_type(hint, state) for name, hint in annotations.items() if name != "return")


def numba_type(annotation: Any, state: np.dtype[Any]) -> Any:
    """Return the Numba type of an annotation."""
    if isinstance(annotation, types.Type):
        return annotation
    if get_origin(annotation) is Annotated:
        array, kind = get_args(annotation)
        if isinstance(kind, int):
            (element,) = get_args(get_args(array)[1])
            return types.Array(numba_type(element, state), kind, "C")
        record = state if isinstance(kind, str) else kind  # the text is that in `States`
        return types.Array(numba.from_dtype(record), 1, "C")
    if get_origin(annotation) is tuple:
        return tuple_type(get_args(annotation), state)
    if hasattr(annotation, "_fields"):
        return tuple_type(get_type_hints(annotation, include_extras=True).values(), state, annotation)
    return numba.from_dtype(np.dtype(annotation))


def tuple_type(annotations: Any, state: np.dtype[Any], *tuple_class: type) -> Any:
    return types.BaseTuple.from_types(tuple(numba_type(hint, state) for hint in annotations), *tuple_class)
