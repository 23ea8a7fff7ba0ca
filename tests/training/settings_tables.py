"""Generates the tables of settings on the pages from the docstrings of the settings."""

import ast
import dataclasses
import inspect
import re
from collections.abc import Callable, Collection
from typing import Any

BLOCK = re.compile(r"<!-- settings: (\w+) -->\n(.*?)<!-- settings end -->", flags=re.DOTALL)


def field_docs(kind: type[Any]) -> dict[str, str]:
    """Return the docstring below every field of a dataclass, with the fields of its base classes first."""
    docs = {}
    for parent in reversed(kind.__mro__):
        if not dataclasses.is_dataclass(parent):
            continue
        body = ast.parse(inspect.getsource(parent)).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, body.body[1:]):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):  # else the base class has it
                assert isinstance(field.target, ast.Name)
                assert isinstance(text.value, ast.Constant)
                docs[field.target.id] = " ".join(str(text.value.value).split())
    return docs


def settings_table(kind: type[Any], but_for: Collection[str] = ()) -> str:
    """Generate the table of a script's settings, except those in `but_for`."""
    docs = field_docs(kind)
    rows = ["| setting | default | meaning |", "| --- | --- | --- |"]
    for field in dataclasses.fields(kind):
        if field.init and field.name not in but_for:
            is_positional = "Positional" in map(str, getattr(field.type, "__metadata__", ()))
            option = field.name.upper() if is_positional else f"--{field.name.replace('_', '-')}"
            text = docs[field.name].replace("``", "`")
            rows.append(f"| `{option}` | {shown(field.default)} | {text} |")
    return "\n".join(rows)


def shown(default: Any) -> str:
    """Format a default value for the table."""
    if default is dataclasses.MISSING:
        return "must be given"
    if default is None:
        return "none"
    if isinstance(default, bool):
        return "on" if default else "off"
    if isinstance(default, tuple):
        return " ".join(f"`{one}`" for one in default) or "none"
    return f"{default:,}" if isinstance(default, int) else f"`{default}`"


def with_tables(text: str, table: Callable[[str], str]) -> str:
    """Return the text of a page with its tables regenerated; `table` takes the name of a table's block."""
    return BLOCK.sub(
        lambda block: f"<!-- settings: {block[1]} -->\n\n{table(block[1])}\n\n<!-- settings end -->", text
    )
