"""The scripts, style sheets and HTML of the web page."""

from collections.abc import Iterable
from pathlib import Path

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.core.svg.markup import Markup, filled
from pocketmars_env.wasm.building import RECORDS

CLIENT = Path(__file__).parent / "client"


def page_of(title: str, head: str, scripts: str = "") -> str:
    """Return the page with elements for its head and with scripts at its end."""
    page = filled((CLIENT / "index.html").read_text(encoding="utf-8"), title=title, head=Markup(head))
    return page.replace("</body>", f"{scripts}</body>")


def inline(text: str) -> str:
    """Return a script or JSON so that its strings cannot end the element that contains it."""
    return text.replace("</", "<\\/")


def script_of(specs: Iterable[GameSpec], source: str) -> str:
    """Return the script of a page for the given games; `source` is the name of a file
    that defines where the game comes from.
    """
    boards = [board.with_suffix(".js") for board in boards_of(specs)]
    return joined(
        [
            RECORDS,
            CLIENT / "common.js",
            *boards,
            *(CLIENT / f"{name}.js" for name in (source, "analysis", "client")),
        ]
    )


def style_of(specs: Iterable[GameSpec]) -> str:
    """Return the style sheet of a page for the given games."""
    return joined([CLIENT / "client.css", *(board.with_suffix(".css") for board in boards_of(specs))])


def boards_of(specs: Iterable[GameSpec]) -> list[Path]:
    return [board for spec in specs if (board := presentation_of(spec).board)]


def joined(sources: Iterable[Path]) -> str:
    return "\n".join(source.read_text(encoding="utf-8") for source in sources)
