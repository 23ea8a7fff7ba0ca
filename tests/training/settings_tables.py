"""Generates the tables of settings on the pages from the help texts of the settings."""

import dataclasses
import re
from collections.abc import Callable, Collection
from typing import Any

from pocketmars_agents.cli.game_options import help_of
from pocketmars_env.core.settings import metadata_of

BLOCK = re.compile(r"<!-- settings: (\w+) -->\n(.*?)<!-- settings end -->", flags=re.DOTALL)


def settings_table(kind: type[Any], names: Collection[str]) -> str:
    """Generate the table of a script's settings with the given names."""
    rows = ["| setting | default | meaning |", "| --- | --- | --- |"]
    for field in dataclasses.fields(kind):
        if field.init and field.name in names:
            data = metadata_of(kind, field.name)
            is_positional = data.get("is_positional")
            option = field.name if is_positional else f"--{field.name.replace('_', '-')}"
            rows.append(f"| `{option}` | {shown(field.default)} | {help_of(data)} |")
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
