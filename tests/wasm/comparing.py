"""Compare random games in WebAssembly and on the CPU, byte by byte.

``python -m tests.wasm.comparing GAME --out FILE`` compares at least 10 million decisions in all modes of a
game. Results are appended to FILE, and the same command resumes.
"""

import argparse
import base64
import hashlib
import json
import subprocess
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

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
"""The number of games that one line of the results is about."""
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
    record = encoded(spec.codec.blank(1, config))
    return {
        "name": "digests",
        "record": record,
        "seats": config.seats,
        "actions": spec.num_actions,
        "first": first,
        "games": games,
    }


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


def compare(spec: GameSpec, folder: Path, decisions: int, out: Path) -> Iterator[dict[str, Any]]:
    """Compare chunks of games in turn in all modes, and yield the results, beginning with those in `out`."""
    module = hashlib.sha256((folder / f"{spec.name}.wasm").read_bytes()).hexdigest()[:16]
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    known = {
        (line["mode"], line["first"]): line for line in map(json.loads, lines) if line["module"] == module
    }
    made = 0
    for first in count(0, CHUNK):
        for mode, settings in MODES[spec.name].items():
            if made >= decisions:
                return
            result = known.get((mode, first))
            if result is None:
                expected = digests(spec, settings, first, CHUNK)
                (found,) = run_in_node(folder, spec.name, task(spec, settings, first, CHUNK))
                equal = sum(one == other for one, other in zip(found, expected, strict=True))
                result = {"module": module, "mode": mode, "first": first, "games": CHUNK, "equal": equal}
                result["decisions"] = sum(number for number, _ in expected)
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(result) + "\n")
            made += result["decisions"]
            yield result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=MODES)
    parser.add_argument("--decisions", type=int, default=10_000_000)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folder", type=Path, default=Path("build/wasm"), help="as in pocketmars wasm --out")
    options = parser.parse_args()
    start, total = time.process_time(), {"games": 0, "equal": 0, "decisions": 0}
    for result in compare(game_named(options.game), options.folder, options.decisions, options.out):
        total = {name: value + result[name] for name, value in total.items()}
    print("{equal:,} of {games:,} games ({decisions:,} decisions) are equal".format(**total))
    print(f"{time.process_time() - start:.0f} s of processor time in Python")


if __name__ == "__main__":
    main()
