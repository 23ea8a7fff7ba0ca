"""The tables of settings on the pages: what the sources say about each of them."""

import dataclasses
import re
from collections.abc import Callable, Collection
from typing import Any

from tests.training.field_docs import field_docs

BLOCK = re.compile(r"<!-- settings: (\w+) -->\n(.*?)<!-- settings end -->", flags=re.DOTALL)


def settings_table(kind: type[Any], but_for: Collection[str] = ()) -> str:
    """The settings of a script, but for some that stand elsewhere."""
    docs = field_docs(kind)
    rows = ["| setting | default | meaning |", "| --- | --- | --- |"]
    for field in dataclasses.fields(kind):
        if field.name not in but_for:
            option = f"--{field.name.replace('_', '-')}"
            text = docs[field.name].replace("``", "`")
            rows.append(f"| `{option}` | {shown(field.default)} | {text} |")
    return "\n".join(rows)


def shown(default: Any) -> str:
    """A default in words."""
    if default is dataclasses.MISSING:
        return "must be given"
    if default is None:
        return "none"
    if isinstance(default, bool):
        return "on" if default else "off"
    if isinstance(default, tuple):
        return " ".join(f"`{one}`" for one in default)
    return f"{default:,}" if isinstance(default, int) else f"`{default}`"


def with_tables(text: str, table: Callable[[str], str]) -> str:
    """A page with its tables written anew, each by the name of its block."""
    return BLOCK.sub(
        lambda block: f"<!-- settings: {block[1]} -->\n\n{table(block[1])}\n\n<!-- settings end -->", text
    )
