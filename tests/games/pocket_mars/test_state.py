"""The state record: its size, fields and bytes."""

from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.state import SEAT, STATE, new_states
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states
from tests.fixed_play import play_on
from tests.modes import MODES

MOST_BYTES = 512
RECORDS = {"STATE": STATE, "SEAT": SEAT}


def fields_of(record: np.dtype[Any]) -> dict[str, np.dtype[Any]]:
    assert record.fields is not None
    return {name: field[0] for name, field in record.fields.items()}


def test_a_game_is_small() -> None:
    assert STATE.itemsize <= MOST_BYTES


@pytest.mark.parametrize("name", RECORDS)
def test_records_have_no_padding(name: str) -> None:
    record = RECORDS[name]
    assert sum(field.itemsize for field in fields_of(record).values()) == record.itemsize


@pytest.mark.parametrize("name", RECORDS)
def test_fields_can_be_read_as_attributes_in_plain_python(name: str) -> None:
    """No field has the name of an attribute of `np.record`, which would hide the field."""
    hidden = [field for field in fields_of(RECORDS[name]) if hasattr(np.record, field)]
    assert not hidden


def test_new_states_are_zero() -> None:
    states = new_states(3)
    assert states.shape == (3,)
    assert states.tobytes() == bytes(3 * STATE.itemsize)


@pytest.mark.parametrize("mode", MODES)
def test_equal_games_have_equal_bytes(mode: str) -> None:
    """Equal games have equal bytes, even if a state record is reused for a new game."""
    first, second = (play_on(Game(**MODES[mode], seed=5), 5, 30) for _ in range(2))
    assert first.to_bytes() == second.to_bytes()
    assert restarted(first, 6) == Game(**MODES[mode], seed=6).to_bytes()


def restarted(game: Game, seed: int) -> bytes:
    """Return the bytes of a new game that was started in the state record of another game."""
    states = new_states(1)
    states[0] = np.frombuffer(game.to_bytes(), dtype=STATE)[0]
    batch.new_games(states, np.full(1, seed, dtype=np.uint64), np.ones(1, dtype=np.bool_))
    return states.tobytes()


def test_blank_tables_differ_in_their_configuration_alone() -> None:
    first, second = blank_states(2, GameConfig(players=4))
    assert first.tobytes() == second.tobytes()
    other = blank_states(1, GameConfig(players=4, draft=True))[0]
    differing = {name for name in STATE.names or () if first[name].tobytes() != other[name].tobytes()}
    assert differing == {"draft", "stage"}
