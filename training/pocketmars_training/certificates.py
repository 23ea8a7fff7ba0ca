"""Checks of the responders of `pocketmars exploit`, and the measurements of the page `docs/strength.md`.

    python -m pocketmars_training.certificates selfcheck
    python -m pocketmars_training.certificates measure

``selfcheck`` lets each responder attack each of a game's flawed bots with two players. A responder passes if
the lower end of its win rate's interval is above 60 %. ``measure`` measures the win rates of the page. Both
keep finished results, and continue after an interruption.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import torch
import typer

from pocketmars_agents.game_bots import game_bots_of
from pocketmars_agents.registry import POLICY_SUFFIX
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game_spec import GAMES, GameSpec, default_game, game_named
from pocketmars_training.common import checkpoints
from pocketmars_training.common.export import export
from pocketmars_training.common.network import Network
from pocketmars_training.common.training_spec import training_of
from pocketmars_training.exploit import ExploitSettings, run_of
from pocketmars_training.responders import RESPONDERS, RESULT_FILE
from pocketmars_training.strength_page import REFERENCE, SELF_CHECK

LEAST = 0.6
"""The lower end of the interval that a responder must exceed against a flawed bot."""
EARLY = "early"
"""The name of a policy with random weights: a checkpoint before the first update."""
SHORT: dict[str, dict[str, Any]] = {
    "ppo": {
        "total_timesteps": 120_000,
        "n_envs": 256,
        "train_freq": 8_192,
        "batch_size": 1_024,
        "learning_rate": 1e-3,
        "eval_freq": 120_000,
        "n_eval_episodes": 400,
    },
    "search": {"budget": "32", "n_eval_episodes": 40},
    "population": {"selection_episodes": 20, "n_eval_episodes": 400},
}
"""The settings of the responders in the self-check."""

Folder = Annotated[Path, typer.Option(help="Folder for the runs.")]
Out = Annotated[Path, typer.Option(help="Folder for the results.")]
Threads = Annotated[int, typer.Option(help="Threads and processes of a run.")]
Result = dict[str, Any]
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)


def respond(run: Path, game: GameSpec, policy: str, **options: Any) -> Result:
    """Run a responder unless its folder has a result, and return the content of the result file."""
    path = run / RESULT_FILE
    if not path.exists():
        is_begun = bool(checkpoints.kept(run))
        settings = ExploitSettings.for_game(game.name)(run=run, resume=is_begun, policy=policy, **options)
        with closing(run_of(settings)) as one:
            one.train()
    result: Result = json.loads(path.read_text(encoding="utf-8"))
    return result


# --- self-check -----------------------------------------------------------------------------------


@app.command()
def selfcheck(
    folder: Folder = Path("runs/selfcheck"),
    out: Out = Path("training/exploitability"),
    threads: Threads = 2,
) -> None:
    """Let each responder attack each flawed bot; exit with 1 if a responder fails."""
    rows: list[Result] = []
    for responder in RESPONDERS:
        for game in GAMES.values():
            for policy in (*training_of(game).flawed, EARLY):
                rows += check(folder / game.name, game, policy, responder, threads)
                write_whole(out / SELF_CHECK, f"{json.dumps(rows, indent=1)}\n".encode())
    failed = [row for row in rows if row["interval"][0] <= LEAST]
    typer.echo(f"{len(rows) - len(failed)} of {len(rows)} intervals lie above {LEAST:.0%}")
    raise typer.Exit(bool(failed))


def check(folder: Path, game: GameSpec, policy: str, responder: str, threads: int) -> Iterator[Result]:
    """Yield the results of a responder against a flawed bot, one for each matchup with two players."""
    options = {"players": (2,), "responder": responder, "threads": threads, **SHORT[responder]}
    if responder == "ppo" and policy == REFERENCE:  # too strong for a short training from random weights
        start = game_bots_of(game).policies[training_of(game).policy_name]
        options |= {"start": start, "total_timesteps": 65_536}
    if responder == "population":
        options["population"] = ("random", "greedy", "planner", training_of(game).policy_name)
    name = policy.rpartition(":")[2]
    bot = str(early_policy(folder / f"{EARLY}{POLICY_SUFFIX}", game)) if policy == EARLY else policy
    result = respond(folder / f"{name}_{responder}", game, bot, **options)
    for matchup, response in result["best_response"].items():
        typer.echo(f"{game.name} {matchup}: {responder} wins {response['win_share']:.1%} against {name}")
        yield {
            "game": game.name,
            "matchup": matchup,
            "policy": name,
            "settings": options | {"start": result["settings"]["start"]},
            **response,
            "responder": responder,
            "processor_seconds": result["processor_seconds"],
        }


def early_policy(path: Path, game: GameSpec) -> Path:
    """Write a policy with random weights, and return its path."""
    torch.manual_seed(1)
    path.parent.mkdir(parents=True, exist_ok=True)
    export(Network.untrained(game, (32, 32)), path, {"name": EARLY, "game": game.name}, game)
    return path


# --- measurements ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Attack:
    """A responder's attack on a bot, whose result is stored in the file ``<name>.json``."""

    name: str
    policy: str
    responder: str
    players: int = 2
    game: str = default_game().name
    options: Mapping[str, Any] = field(default_factory=dict)


SECOND = "project_mars"
SEARCHES = "puct:100", "mmd:100"
FAST = {"n_eval_episodes": 1_000}
SLOW = {"n_eval_episodes": 400, "budget": "64"}
SELECTED = {"n_eval_episodes": 400, "selection_episodes": 40}
FEW = {"n_eval_episodes": 200}
ATTACKS = (
    Attack("multi_search", "multi", "search", options=SLOW),
    Attack("planner_population", REFERENCE, "population", options=SELECTED | {"selection_episodes": 200}),
    Attack("duel_search", "duel", "search", game=SECOND, options=SLOW | FEW),
    Attack("solo_search", "solo", "search", 1, options=SLOW | FAST),
    Attack("solo_population", "solo", "population", 1,
           options=FAST | {"population": ("automaton", "da_seat", "planner")}),
    Attack("multi_4p_search", "multi", "search", 4, options=SLOW),
    Attack("greedy_population", "greedy", "population",
           options=SELECTED | FAST | {"population": ("multi", "planner")}),
    Attack("puct_population", "puct:100", "population",
           options=SELECTED | FEW | {"population": ("multi", "mmd:100")}),
    Attack("mmd_population", "mmd:100", "population",
           options=SELECTED | FEW | {"population": ("multi", "puct:100")}),
    Attack("ismcts_population", "ismcts:100", "population",
           options=SELECTED | FEW | {"population": ("multi", "mmd:100")}),
    Attack("planner_search", REFERENCE, "search", options=SLOW),
    Attack("puct_search", "puct:100", "search", options=SLOW),
    Attack("multi_population", "multi", "population",
           options=SELECTED | {"population": ("planner", "multi", "ismcts:100", *SEARCHES)}),
    Attack("planner_second_population", REFERENCE, "population", game=SECOND,
           options=FAST | {"population": ("greedy", "duel")}),
    Attack("puct_second_population", "puct:100", "population", game=SECOND,
           options=SELECTED | FEW | {"population": ("duel", "mmd:100")}),
    Attack("duel_population", "duel", "population", game=SECOND,
           options=SELECTED | FEW | {"population": ("planner", "duel", *SEARCHES)}),
    Attack("multi_search_256", "multi", "search", options=SLOW | {"budget": "256"}),
    Attack("multi_4p_population", "multi", "population", 4,
           options=SELECTED | {"population": ("planner", "multi", *SEARCHES)}),
)  # fmt: skip
"""The attacks that are measured for the page, besides the runs of PPO, which take hours."""


@app.command()
def measure(
    names: Annotated[list[str] | None, typer.Argument(help="Attacks; by default, all.")] = None,
    folder: Folder = Path("runs/strength"),
    out: Out = Path("training/exploitability"),
    threads: Threads = 2,
) -> None:
    """Measure the win rates of the page `docs/strength.md`."""
    for attack in ATTACKS:
        if not names or attack.name in names:
            options = {"players": (attack.players,), "responder": attack.responder, "threads": threads}
            result = respond(
                folder / attack.name, game_named(attack.game), attack.policy, **options, **attack.options
            )
            write_whole(out / f"{attack.name}.json", f"{json.dumps(result, indent=1)}\n".encode())


if __name__ == "__main__":
    app()
