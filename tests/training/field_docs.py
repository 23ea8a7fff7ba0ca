"""What the settings' sources say about each of their fields."""

import ast
import dataclasses
import inspect
from typing import Any


def field_docs(kind: type[Any]) -> dict[str, str]:
    """The text below every field of a dataclass, those of its parents first."""
    docs = {}
    for parent in reversed(kind.__mro__):
        if not dataclasses.is_dataclass(parent):
            continue
        body = ast.parse(inspect.getsource(parent)).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, body.body[1:]):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                assert isinstance(text, ast.Expr), f"{field.target.id} has no text"
                assert isinstance(text.value, ast.Constant), f"{field.target.id} has no text"
                docs[field.target.id] = " ".join(str(text.value.value).split())
    return docs
