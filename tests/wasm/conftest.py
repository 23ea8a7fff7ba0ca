"""The compiled modules of both games."""

from pathlib import Path

import pytest

from pocketmars_agents.play.web import site
from pocketmars_env.core.game_spec import GAMES
from pocketmars_env.wasm import compiler


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a folder for each game, as `site.write_site` keeps them."""
    try:
        compiler.check()
    except ValueError as error:
        pytest.skip(str(error))
    return tmp_path_factory.mktemp("modules")


@pytest.fixture(scope="session")
def folders(modules: Path) -> dict[str, Path]:
    """The folder with the files of each game."""
    return {spec.name: site.modules_of(spec, modules / spec.name) for spec in GAMES.values()}
