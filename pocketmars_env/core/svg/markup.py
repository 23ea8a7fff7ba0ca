"""HTML and SVG elements and pages, in which every text is escaped."""

import html
import re

SLOT = re.compile(r"\{\{(\w+)\}\}")


class Markup(str):
    """HTML or SVG; every other text is escaped when it becomes part of an element or a page."""

    __slots__ = ()


def element(name: str, /, *content: str, **attributes: object) -> Markup:
    """Return an HTML or SVG element."""
    start = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
        for key, value in attributes.items()
    )
    inner = "".join(part if isinstance(part, Markup) else html.escape(part, quote=False) for part in content)
    return Markup(f"<{name}{start}>{inner}</{name}>" if content else f"<{name}{start}/>")


def filled(template: str, **slots: str) -> Markup:
    """Return a page: a template whose slots, such as ``{{title}}``, are replaced by texts or elements."""
    parts = {name: part if isinstance(part, Markup) else html.escape(part) for name, part in slots.items()}
    return Markup(SLOT.sub(lambda slot: parts[slot[1]], template))
