"""Compare random games in WebAssembly and on the CPU, byte by byte.

``python -m tests.wasm.comparing GAME`` compares at least 10 million decisions in all modes of a game.
"""

import base64
import hashlib
import json
import subprocess
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.game_spec import GameSpec, game_named
from tests.modes import MODES as POCKET_MARS_MODES

HERE = Path(__file__).parent
MODES: dict[str, dict[str, dict[str, Any]]] = {
    "pocket_mars": {**POCKET_MARS_MODES, "solo_handicap": {"mode": "solo", "handicap": 6}},
    "project_mars": {
        "starter": {},
        "same": {"mode": "same"},
        "random": {"mode": "random"},
        "constructed": {"mode": "constructed", "deck_0": "machines", "deck_1": "machines"},
    },
}
"""The modes of each game, as settings by name."""
CHUNK = 100
"""The number of games in a mode between two messages."""
WORDS = 2**64

Digests = list[list[Any]]


def run_in_node(folder: Path, game: str, *tasks: dict[str, Any]) -> list[Any]:
    """Run tasks from `tasks.js` in Node and return their results."""
    given = "\n".join(map(json.dumps, tasks))
    command = ["node", str(HERE / "in_node.js"), str(folder), game]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def encoded(array: Any) -> str:
    return base64.b64encode(array.tobytes()).decode()


def task(spec: GameSpec, settings: dict[str, Any], first: int, games: int) -> dict[str, Any]:
    """Return the task of computing the digests of games with consecutive seeds."""
    config = spec.config(**settings)
    sizes = {"seats": config.seats, "actions": spec.num_actions, "first": first, "games": games}
    return {"name": "digests", "record": encoded(spec.codec.blank(1, config)), **sizes}


def digests(spec: GameSpec, settings: dict[str, Any], first: int, games: int) -> Digests:
    """Return what the task of the same name returns, computed on the CPU."""
    blank = spec.codec.blank(1, spec.config(**settings))
    return [
        list(digest(spec, blank, spec.config(**settings).seats, seed)) for seed in range(first, first + games)
    ]


def digest(spec: GameSpec, blank: Any, seats: int, seed: int) -> tuple[int, str]:
    """Return the number of decisions in a random game, and a hash of all that the kernels write."""
    batch, states, hashed = spec.batch, blank_records(2, spec.state), hashlib.sha256()
    legal, scores = np.zeros(spec.num_actions, np.int64), np.zeros(spec.max_seats, np.int64)
    observation, mask = np.zeros(spec.observation_size, np.float32), np.zeros(spec.num_actions, np.int8)
    states[0] = blank[0]
    batch.new_game_at(states, 0, np.uint64(seed))
    random = seed
    for decisions in count():
        number = batch.legal_at(states, 0, legal)
        winners = batch.scores_at(states, 0, scores)
        random = (random * 6364136223846793005 + 1442695040888963407) % WORDS
        determinized = (decisions % seats, np.uint64(random), bool(decisions % 2))
        batch.determinize_at(states, 0, *determinized, states, 1)
        for part in (states, scores, np.int64(winners), legal[:number]):
            hashed.update(part.tobytes())
        for seat in range(seats):
            batch.observe_at(states, 0, seat, observation, mask)
            hashed.update(observation.tobytes() + mask.tobytes())
        if number == 0:
            return decisions, hashed.hexdigest()
        batch.step_at(states, 0, int(legal[(random >> 33) % number]))
    raise AssertionError


def main(
    game: Annotated[str, typer.Argument(help="The name of the game.")],
    decisions: Annotated[int, typer.Option(help="Minimum number of decisions.")] = 10_000_000,
    folder: Annotated[Path, typer.Option(help="The folder of pocketmars wasm --out.")] = Path("build/wasm"),
) -> None:
    """Compare random games in all modes, and stop at the first difference."""
    spec, games, made = game_named(game), 0, 0
    for first in count(0, CHUNK):
        for settings in MODES[game].values():
            (found,) = run_in_node(folder, game, task(spec, settings, first, CHUNK))
            expected = digests(spec, settings, first, CHUNK)
            assert found == expected, f"the games with the settings {settings} from seed {first} differ"
            games, made = games + CHUNK, made + sum(number for number, _ in expected)
        print(f"{games:,} games ({made:,} decisions) are equal", flush=True)
        if made >= decisions:
            return


if __name__ == "__main__":
    typer.run(main)
