"""MkDocs hooks that add pages of the repository to the site.

Pages are written for the repository, so their links lead to files of the repository. On the site, a link to a
file that the site contains leads to the file's place on the site, and a link to any other file becomes plain
text. A line ``<!-- include: PATH, HEADING -->`` is replaced by the text below a heading of another page, so
that each fact is written only once. A line ``<!-- arguments: MODULE.NAME -->`` is replaced by a table of the
arguments of a function or class, with their descriptions from the docstrings, or of a training script's
options, with their help texts. The line ``<!-- ladder -->`` is replaced by the ladder. Notebooks are shown
with their stored outputs: the main figure and the answer come first, and the code is folded.
"""

import base64
import dataclasses
import importlib
import inspect
import json
import posixpath
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from pocketmars_agents.cli.game_options import help_of
from pocketmars_agents.ladder.page import page as ladder_page
from pocketmars_agents.ladder.rows import FOLDER as LADDER_FOLDER
from pocketmars_env.core.settings import metadata_of

ROOT = Path(__file__).parent.parent

WHOLE_PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "agents/MATCHES.md": "matches.md",
    "agents/PLAYING.md": "playing.md",
    "agents/README.md": "agents.md",
    "agents/pocketmars_agents/recording/README.md": "recording.md",
    "notebooks/README.md": "notebooks.md",
    "pocketmars_env/games/pocket_mars/rules/README.md": "engine.md",
    "pocketmars_env/games/project_mars/rules/README.md": "project_mars/engine.md",
    "pocketmars_env/replays/README.md": "replays.md",
    "training/BASELINES.md": "baselines.md",
    "training/README.md": "training.md",
    "training/RESULTS.md": "results.md",
    "training/RESULTS_LOG.md": "results_log.md",
    "training/SCALING.md": "scaling.md",
}
"""Pages outside ``docs`` that the site contains in full, with their paths on the site."""
THUMBNAILS = [f"notebooks/thumbnails/{file.name}" for file in (ROOT / "notebooks/thumbnails").glob("*.png")]
PICTURES = {
    "training/baselines/curves.svg": "images/baselines.svg",
    **{
        f"training/baselines/{path.parent.name}/{path.name}": f"images/{path.parent.name}_{path.name}"
        for path in (ROOT / "training/baselines").glob("*/cross_play.svg")
    },
    **{path: path for path in THUMBNAILS},
}
"""Pictures outside ``docs`` that these pages show, with their paths on the site."""

PLAY = ROOT / "build/site"
"""The page for playing that `pocketmars site` has written; the site has it in the folder ``play``."""
PLAY_HERE = "<!-- play -->"
PLAYING = '<iframe src="play/" title="Play in the browser" width="100%" height="720" loading="lazy"></iframe>'
"""What replaces `PLAY_HERE` if the site has the page for playing."""

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PNG, SVG = "image/png", "image/svg+xml"

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)#\s]*)(#[^)\s]*)?\)")
PICTURE = re.compile(r'\b(src|srcset)="(?!\w+:|/)([^"]+)"')
INCLUDE = re.compile(r"^<!-- include: (\S+), (.+?) -->$", flags=re.MULTILINE)

EMPTY_HEADING = re.compile(r"<th[^>]*>\s*</th>")
ARGUMENTS = re.compile(r"^<!-- arguments: (\S+) -->$", flags=re.MULTILINE)
LADDER = "<!-- ladder -->"
MEANING = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", flags=re.MULTILINE)
"""Matches an argument's description in a docstring in Google's style."""


def on_config(config: MkDocsConfig) -> None:
    """Link the website to the public repository, if there is one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if url := project.get("urls", {}).get("Repository"):
        config.repo_url, config.repo_name = url, url.rpartition("/")[2]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages in `WHOLE_PAGES`, the pictures in `PICTURES`, the notebooks and `PLAY` to the site."""
    for source, place in WHOLE_PAGES.items():
        files.append(File.generated(config, place, content=(ROOT / source).read_text(encoding="utf-8")))
    for source, place in PICTURES.items():
        files.append(File.generated(config, place, content=(ROOT / source).read_bytes()))
    for notebook in NOTEBOOKS:
        text = notebook_page(json.loads(notebook.read_text(encoding="utf-8")))
        files.append(File.generated(config, f"notebooks/{notebook.stem}.md", content=text))
    for path in (path for path in PLAY.rglob("*") if path.is_file()):
        place = f"play/{path.relative_to(PLAY).as_posix()}"
        files.append(File.generated(config, place, abs_src_path=str(path)))
    return files


def notebook_page(notebook: dict[str, Any]) -> str:
    """Return a parsed notebook file as Markdown that contains the pictures as data URLs."""
    parts: list[str] = []
    first: list[str] = []
    code: list[str] = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        outputs: list[str] = []
        if cell["cell_type"] == "markdown":
            outputs.append(source)
        else:
            code.append(source)
            is_answer = "answer" in cell.get("metadata", {}).get("tags", ())
            for output in cell["outputs"]:
                is_main = "alt" in output.get("metadata", {}).get(PNG, {})
                (first if is_answer or is_main else outputs).append(shown(output))
        if outputs and code:
            parts.append(folded(code))
            code = []
        parts += outputs
    head, question, rest = parts[0].partition("\n\n**Question.**")
    page = [head, *first, (question + rest).strip(), *parts[1:], folded(code)]
    return "\n\n".join(filter(None, page))


def folded(code: Sequence[str]) -> str:
    """Return code that is shown on a click."""
    if not code:
        return ""
    source = "\n\n".join(code)
    return f'<details markdown="1"><summary>Code</summary>\n\n```python\n{source}\n```\n\n</details>'


def shown(output: dict[str, Any]) -> str:
    """Return an output of a cell as Markdown."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    alt = output.get("metadata", {}).get(PNG, {}).get("alt", "Plot")
    if PNG in data:
        return f"![{alt}](data:{PNG};base64,{''.join(data[PNG]).strip()})"
    if SVG in data:
        return f"![{alt}](data:{SVG};base64,{base64.b64encode(''.join(data[SVG]).encode()).decode()})"
    if "text/markdown" in data:
        return "".join(data["text/markdown"])
    return f"```text\n{''.join(data['text/plain']).rstrip()}\n```"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replace the ``include`` and ``arguments`` lines of a page, and convert all links for the site."""
    site_path = page.file.src_uri
    source = source_of(site_path)
    markdown = ARGUMENTS.sub(lambda found: arguments_of(found[1]), markdown)
    markdown = markdown.replace(PLAY_HERE, PLAYING if PLAY.exists() else "")
    if LADDER in markdown:
        markdown = markdown.replace(LADDER, ladder_page(LADDER_FOLDER))
    return INCLUDE.sub(
        lambda found: with_links(section(found[1], found[2]), found[1], site_path),
        with_links(markdown, source, site_path),
    )


def arguments_of(path: str) -> str:
    """Return a Markdown table of the arguments of a function or class; `path` is ``MODULE.NAME``."""
    module_name, name = path.rsplit(".", 1)
    module = importlib.import_module(module_name)
    owner = getattr(module, name)
    if isinstance(owner, type) and metadata_of(owner, "run"):
        return settings_of(owner)
    meanings = meanings_of(module, owner)
    rows = ["| argument | type | default | meaning |", "| --- | --- | --- | --- |"]
    for one in inspect.signature(owner).parameters.values():
        kind = getattr(one.annotation, "__name__", str(one.annotation)).replace("|", "or")
        default = "-" if one.default is one.empty else f"`{one.default!r}`"
        rows.append(f"| `{one.name}` | {kind} | {default} | {meanings.get(one.name, '')} |")
    return "\n".join(rows)


def settings_of(kind: type[Any]) -> str:
    """Return a Markdown table of the options of a training script, with their defaults and help texts."""
    rows = ["| option | default | meaning |", "| --- | --- | --- |"]
    for field in filter(lambda field: field.init, dataclasses.fields(kind)):
        data = metadata_of(kind, field.name)
        option = field.name if data.get("is_positional") else f"--{field.name.replace('_', '-')}"
        default = "-" if field.default in (dataclasses.MISSING, None) else f"`{field.default!r}`"
        rows.append(f"| `{option}` | {default} | {help_of(data)} |")
    return "\n".join(rows)


def meanings_of(module: ModuleType, owner: Any) -> dict[str, str]:
    """Return the descriptions of arguments in the docstrings of `owner` and the environment it makes."""
    sources = [owner]
    if hasattr(module, "raw_env"):  # `env` has the arguments of `raw_env` and of the game's settings
        sources += [*module.raw_env.__mro__, module.raw_env.game_spec.config]
    found: dict[str, str] = {}
    for source in reversed(sources):
        for name, text in MEANING.findall(inspect.cleandoc(source.__doc__ or "")):
            found[name] = " ".join(text.split()).replace("``", "`").replace("|", "or")
    return found


def source_of(site_path: str) -> str:
    """Return the repository path of a page of the site."""
    if site_path.startswith("notebooks/"):
        return site_path.removesuffix(".md") + ".ipynb"
    return next((path for path, place in WHOLE_PAGES.items() if place == site_path), f"docs/{site_path}")


def section(source: str, heading: str) -> str:
    """Return the text below a heading of a page, up to the next heading of the same or a higher level."""
    text = (ROOT / source).read_text(encoding="utf-8")
    start = re.search(rf"^(#+) {re.escape(heading)}\n", text, flags=re.MULTILINE)
    if start is None:
        raise PluginError(f"{source} has no heading {heading!r}")
    rest = text[start.end() :]
    end = re.search(rf"^#{{1,{len(start[1])}}} ", rest, flags=re.MULTILINE)
    return rest[: end.start()].strip() if end else rest.strip()


def with_links(text: str, source: str, site_path: str) -> str:
    """Convert links in a text of the page `source` into links on the site, or into plain text."""

    def target_of(path: str, is_picture: bool) -> str | None:
        target = place_on_site(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)))
        if target is None and is_picture:
            raise PluginError(f"{source}: the site has no picture {path}")
        return target

    def replaced(link: re.Match[str]) -> str:
        mark, label, path, anchor = link[1], link[2], link[3], link[4] or ""
        target = target_of(path, is_picture=bool(mark))
        if target is None:
            return label
        return f"{mark}[{label}]({posixpath.relpath(target, posixpath.dirname(site_path) or '.')}{anchor})"

    def picture(attribute: re.Match[str]) -> str:
        target = str(target_of(attribute[2], is_picture=True))
        # MkDocs does not convert links in HTML, so they are made relative to the folder of the page.
        folder = site_path.removesuffix("index.md").removesuffix(".md") or "."
        return f'{attribute[1]}="{posixpath.relpath(target, folder)}"'

    return PICTURE.sub(picture, LINK.sub(replaced, text))


def place_on_site(path: str) -> str | None:
    """Return the path on the site of a repository file, or None if the site does not contain the file.

    A folder has the path of its ``README.md``. All paths in ``docs`` are assumed to be on the site.
    """
    folder_page = f"{path}/README.md"
    pages = {"README.md": "index.md"} | WHOLE_PAGES  # `docs/index.md` replaces the README
    if path in pages or folder_page in pages:
        return pages.get(path) or pages[folder_page]
    if path in PICTURES:
        return PICTURES[path]
    if ROOT / path in NOTEBOOKS:
        return path.removesuffix(".ipynb") + ".md"
    return path.removeprefix("docs/") if path.startswith("docs/") else None


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn third-level headings into second-level headings on pages without second-level ones."""
    return html if "<h2" in html else re.sub(r"(</?h)3\b", r"\g<1>2", html)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Label the theme's search dialog for screen readers, and turn empty column headings into plain cells."""
    search = 'data-md-component="search" role="dialog"'
    return EMPTY_HEADING.sub("<td></td>", output.replace(search, f'{search} aria-label="Search"'))
