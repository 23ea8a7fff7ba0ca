"""Program that uses all environments and bots of a game, and prints which kernels this compiles, as JSON."""

import json
import sys
from typing import Any

import gymnasium
import numpy as np
from numba.core.event import install_recorder

from pocketmars_agents.analysis import analysis_of, analyst_for
from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.cli.seating import seating_of
from pocketmars_agents.play.session import Session
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GAMES, GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.presentation.presenting import svg_of
from pocketmars_env.envs.classes import environments_of

BOTS = (
    *("greedy:1", "planner:1", "puct:5", "ismcts:5", "ismcts:5:objective=score"),
    *("ismcts:5:rollout=greedy", "ismcts:5:rollout=random", "random"),
)
POLICIES = {"pocket_mars": ("multi", "multi:sample"), "project_mars": ("duel",)}


def use_environments(spec: GameSpec, dtype: str) -> None:
    """Play some steps in the Gymnasium, vector and PettingZoo environments of a game."""
    options: dict[str, Any] = {"observation_dtype": dtype}
    for name in (spec.id_of(mode.name) for mode in spec.env_modes):
        envs = gymnasium.make_vec(name, 600, vectorization_mode="vector_entry_point", **options)
        masks = envs.reset(seed=1)[1]["action_mask"]
        for _ in range(3):
            masks = envs.step(masks.argmax(axis=1))[4]["action_mask"]
        env = gymnasium.make(name, **options)
        env.step(env.reset(seed=1)[1]["action_mask"].argmax())
    table = environments_of(spec)["env"](observation_dtype=dtype)
    table.reset(seed=1)
    for _ in table.agent_iter(3):
        table.step(int(table.last()[0]["action_mask"].argmax()))
    environments_of(spec)["parallel_env"](observation_dtype=dtype).reset(seed=1)


def use_bots(spec: GameSpec) -> None:
    """Play games between bots, and games against the automaton."""
    two = spec.config(**spec.player_settings(2))
    matches = [Match((bot, "greedy:1"), two, seed=1) for bot in (*BOTS, *POLICIES[spec.name])]
    results = play_matches(matches)
    if spec.name == "pocket_mars":
        solo = spec.config(mode="solo", level="cyborg", da_agent=True)
        bots = ("automaton", "da_seat", "puct:5")
        results += play_matches([Match(("solo", bot), solo, seed=1) for bot in bots])
    assert [result.failure for result in results if result.failure] == []


def use_sessions(spec: GameSpec) -> None:
    """Play a game with a person; analyze it, and write, read and draw its positions."""
    seating = seating_of(spec, spec.player_settings(2), ["greedy:1"], hint="planner:1")
    session = Session(seating, 1)
    (person,) = session.humans
    while not session.over:
        session.hint(person)
        session.act(person, session.choices(person)[0].action)
    analysis_of(session.replay(), make_agent("puct:5"))
    analyst_for(spec)
    game = Game.from_text(session.game.to_text(), spec)
    svg_of(spec, game.states, viewpoint=0)
    Game.from_snapshot(game.snapshot(), game.resume_state(), spec=spec)


def use_games(spec: GameSpec) -> None:
    games = Games(5_000, spec, seed=1, num_threads=2)
    games.views(np.arange(5_000), games.to_play)[0].sample(np.random.default_rng(1))
    games.step(games.random_actions())
    games.reset(games.over)
    games.standings()
    assert (games.termination == games.take(np.arange(5_000)).termination).all()


if __name__ == "__main__":
    with install_recorder("numba:compile") as recorder:
        spec = GAMES[sys.argv[1]]
        use_games(spec)
        for dtype in ("float32", "uint8"):
            use_environments(spec, dtype)
        use_bots(spec)
        use_sessions(spec)
    print(json.dumps(sorted({str(event.data["dispatcher"]) for _, event in recorder.buffer})))
