"""The page of `pocketmars play --web` as static files, for any web host and for use without one."""

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pocketmars_agents.game_bots import game_bots_of
from pocketmars_agents.play.web.assets import CLIENT, inline, joined, page_of, script_of, style_of
from pocketmars_agents.play.web.documents import rules_html
from pocketmars_agents.play.web.tables import tables_of
from pocketmars_agents.wasm import bots
from pocketmars_env.core.compiled import compiling
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.wasm import building

WORKER = CLIENT / "worker.js"
TITLE = "Pocket Mars"
STAMP = "sources.txt"
"""The file beside a module with a hash of the sources from which it was compiled."""

Starts = Mapping[str, Any]
"""The data for a game's form for new games; see `starts_of`."""


def write_site(folder: Path, starts: Mapping[GameSpec, Starts], modules: Path) -> None:
    """Write a page for all games and, for each game, a page in one file that needs no web server.

    `modules` keeps the compiled modules; those of unchanged sources are not compiled again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for spec, data in starts.items():
        files = files_of(spec, data, modules_of(spec, modules / spec.name))
        (folder / spec.name).mkdir(exist_ok=True)
        for name, content in files.items():
            (folder / spec.name / name).write_bytes(content)
        page = page_in_one_file(spec, files)
        (folder / f"{spec.name}.html").write_text(page, encoding="utf-8")
    head = '<link rel="stylesheet" href="page.css"><script src="page.js" defer></script>'
    contents = {
        "index.html": page_of(TITLE, head),
        "page.css": style_of(starts),
        "page.js": static_script(starts),
        WORKER.name: joined([WORKER]),
    }
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")


def static_script(specs: Iterable[GameSpec]) -> str:
    """Return the script of a page with the given games, preceded by their titles."""
    titles = {spec.name: spec.title for spec in specs}
    return f"const GAMES = {json.dumps(titles)};\n{script_of(specs, 'static')}"


def page_in_one_file(spec: GameSpec, files: Mapping[str, bytes]) -> str:
    """Return a page with everything that a game needs: module and networks in base64, the networks last."""

    def with_ending(*endings: str) -> dict[str, bytes]:
        return {f"{spec.name}/{name}": files[name] for name in files if name.endswith(endings)}

    def texts(contents: Mapping[str, bytes]) -> dict[str, str]:
        return {name: base64.b64encode(content).decode() for name, content in contents.items()}

    module = f"const FILES = {json.dumps(texts(with_ending('.wasm')))};"
    worker = [module, files[f"{spec.name}.js"].decode(), joined([WORKER])]
    tables = {name: content.decode() for name, content in with_ending(".json", ".html").items()}
    networks = texts(with_ending(".network"))
    scripts = {
        'type="text/plain" id="worker"': "\n".join(worker),
        'type="application/json" id="files"': json.dumps(tables),
        'type="text/javascript"': static_script([spec]),
        **{f'type="text/plain" id="{name}"': text for name, text in networks.items()},
    }
    parts = [f"<script {kind}>{inline(text)}</script>" for kind, text in scripts.items()]
    return page_of(spec.title, f"<style>{style_of([spec])}</style>", "".join(parts))


def files_of(spec: GameSpec, starts: Starts, modules: Path) -> dict[str, bytes]:
    """Return the files of a game by name: its module, script, networks, tables and rules."""
    compiled = [file for file in sorted(modules.iterdir()) if file.name != STAMP]
    tables = {**tables_of(spec), **starts}
    return {
        **{file.name: file.read_bytes() for file in compiled},
        "tables.json": json.dumps(tables, separators=(",", ":"), ensure_ascii=False).encode(),
        "rules.html": rules_html(presentation_of(spec)).encode(),
    }


# --- modules --------------------------------------------------------------------------------------


def modules_of(spec: GameSpec, folder: Path) -> Path:
    """Compile a game and its bots into a folder, unless it has what the same sources gave; return it."""
    stamp, file = stamp_of(spec), folder / STAMP
    if not file.exists() or file.read_text(encoding="utf-8") != stamp:
        bots.build_for(spec, folder)
        file.write_text(stamp, encoding="utf-8")
    return folder


def stamp_of(spec: GameSpec) -> str:
    """Return a hash of the sources of a game's module, script and networks."""
    agents, folders = CLIENT.parents[2], (building.RECORDS.parent, bots.SCRIPT.parent)
    scripts = sorted(file for folder in folders for file in folder.iterdir() if file.is_file())
    digest = hashlib.sha256(compiling.fingerprint(spec.kernels.folder, agents).encode())
    for file in (*scripts, *game_bots_of(spec).policies.values()):
        digest.update(file.read_bytes())
    return digest.hexdigest()
