"""Without a GPU, a one-line error says what is missing."""

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from pocketmars_env import Games
from pocketmars_env.core.cuda.device import has_device
from pocketmars_env.core.errors import NoDevice
from pocketmars_env.envs.device_vector import DeviceVectorEnv
from pocketmars_env.games.pocket_mars.ids import SOLO_ID


@pytest.mark.skipif(has_device(), reason="there is a GPU")
@pytest.mark.parametrize(
    "use", [lambda: Games(2, seed=1).to_device(), lambda: DeviceVectorEnv(SOLO_ID, 2)], ids=["games", "env"]
)
def test_a_missing_device_is_named(use: Callable[[], object]) -> None:
    with pytest.raises(NoDevice, match=r"^[^\n]*(numba-cuda|device)[^\n]*$"):
        use()


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"env_id": "none"}, ValueError),
        ({"num_envs": 0}, ValueError),
        ({"reward": "none"}, ValueError),
        ({"seat": 1}, TypeError),
        ({"players": 2}, TypeError),
    ],
)
def test_settings_are_checked_before_the_device(settings: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error, match=r"none|0|seat|players"):
        DeviceVectorEnv(**({"env_id": SOLO_ID, "num_envs": 2} | settings))  # type: ignore[arg-type]


def test_games_on_the_host_import_nothing_for_gpus() -> None:
    program = (
        "import sys; from pocketmars_env import Games; Games(2, seed=1); "
        "sys.exit(any(name.startswith(('numba_cuda', 'numba.cuda.dispatcher')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_games_take_over_state_records() -> None:
    games = Games(3, seed=1)
    games.step(games.random_actions())
    twin = Games.of(games.spec, games.config, games.states.copy(), dtype=np.dtype(np.uint8))
    assert twin.states.tobytes() == games.states.tobytes()
    assert twin.observe()[0].dtype == np.uint8
