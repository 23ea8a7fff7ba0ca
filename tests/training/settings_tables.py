"""Generates the tables of settings on the pages from the help texts of the settings."""

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any

from pocketmars_agents.cli.game_options import help_of
from pocketmars_env.core.settings import metadata_of

BLOCK = re.compile(r"<!-- settings: (\w+) -->\n(.*?)<!-- settings end -->", flags=re.DOTALL)


def settings_table(kind: type[Any]) -> str:
    """Generate the table of a script's settings."""
    rows = ["| setting | default | meaning |", "| --- | --- | --- |"]
    for field in filter(lambda field: field.init, dataclasses.fields(kind)):
        default = shown(field.default)
        rows.append(
            f"| `{option(kind, field.name)}` | {default} | {help_of(metadata_of(kind, field.name))} |"
        )
    return "\n".join(rows)


def defaults_table(general: type[Any], scripts: Mapping[str, type[Any]]) -> str:
    """Generate the table of all settings in which scripts differ from `general`, with their defaults."""
    expected = defaults_of(general)
    found = {script: defaults_of(kind) for script, kind in scripts.items()}
    rows = [
        f"| setting | {' | '.join(f'`{script}`' for script in scripts)} |",
        "| --- " * (1 + len(scripts)) + "|",
    ]
    for name in dict.fromkeys(name for defaults in (expected, *found.values()) for name in defaults):
        cells = {script: defaults.get(name, "–") for script, defaults in found.items()}
        if set(cells.values()) != {expected.get(name)}:
            (kind, *_) = (kind for script, kind in scripts.items() if name in found[script])
            rows.append(f"| `{option(kind, name)}` | {' | '.join(cells.values())} |")
    return "\n".join(rows)


def defaults_of(kind: type[Any]) -> dict[str, str]:
    return {field.name: shown(field.default) for field in dataclasses.fields(kind) if field.init}


def option(kind: type[Any], name: str) -> str:
    is_positional = metadata_of(kind, name).get("is_positional")
    return name if is_positional else f"--{name.replace('_', '-')}"


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
