"""Training specs: what the training scripts need to know about a game in addition to its `GameSpec`."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game_spec import GameSpec

GameKind = dict[str, Any]
"""Values of a game's settings, keyed by setting name."""
WinShareOf = Callable[["Matchup"], float]


@dataclass(frozen=True)
class Matchup:
    """An environment with its opponents and other settings, in which agents are evaluated or trained."""

    name: str  # in logs, such as ``"standard"`` or ``"greedy_2p"``
    environment: str  # the id
    settings: GameKind = field(default_factory=dict)  # the arguments of the environment


@dataclass(frozen=True, kw_only=True)
class SoloSpec:
    """A single-player game against an automaton, selected with the setting ``players=(1,)``."""

    kinds: Callable[[Sequence[int]], list[GameKind]]  # of the training games, for given handicaps
    max_handicap: int
    matchups: tuple[Matchup, ...]  # of the evaluation
    automaton_seat: int
    automaton_settings: GameKind  # let an agent make the automaton's choices
    automaton_matchups: Callable[[Sequence[str]], list[Matchup]]  # of such an agent against given bots


@dataclass(frozen=True, kw_only=True)
class Task:
    """A task on which the baselines (see `training/BASELINES.md`) are trained and evaluated.

    `rating` computes the handicap rating (see `docs/protocol.md`), given a function that measures the win
    rate in a matchup, and the number of games per matchup.
    """

    name: str  # on the command line and in the paths of result files
    title: str  # the heading in `training/BASELINES.md`
    game: GameSpec
    training: Matchup  # for algorithms that learn from one seat against a fixed opponent
    kind: GameKind  # for algorithms that play all seats
    players: int  # the number of seats that make decisions
    matchups: tuple[Matchup, ...]  # of the final evaluation; the learning curve uses the first one
    rating: Callable[[WinShareOf, int], float] | None = None


def two_player_task(name: str, title: str, game: GameSpec, environment: str, kind: GameKind) -> Task:
    """Return a task with a matchup against `greedy`, also used for training, and one against `planner`."""
    matchups = [Matchup(bot, environment, {**kind, "opponents": bot}) for bot in ("greedy", "planner")]
    return Task(
        name=name,
        title=title,
        game=game,
        training=matchups[0],
        kind=kind,
        players=2,
        matchups=tuple(matchups),
    )


@dataclass(frozen=True, kw_only=True)
class TrainingSpec:
    """A game's settings for the training scripts: matchups, bots and defaults.

    Attributes:
        matchups: a function that returns the matchups of the evaluation for given player counts.
        baselines: the names of the bots that are evaluated for comparison at the end of a run.
        policy_name: the name under which policies for multiplayer games are exported.
        kinds: settings of the training games. Each entry is combined with each player count, and each
            combination is played in an equal share of the parallel games.
        defaults: default values, keyed by setting, that override those of the scripts.
        solo: the single-player game, or None if there is none.
        tasks: the tasks for the baseline algorithms.
        flawed: the names of bots with a flaw that every responder must find; see `flawed.py`.
        small_game: a function that draws a random small game and returns it with ``(1,)`` state records; None
            if the game has no small games.

    """

    game: GameSpec
    matchups: Callable[[Sequence[int]], list[Matchup]]
    baselines: tuple[str, ...]
    policy_name: str = "multi"
    kinds: tuple[GameKind, ...] = ({},)
    defaults: dict[str, Any] = field(default_factory=dict)
    solo: SoloSpec | None = None
    tasks: tuple[Task, ...] = ()
    flawed: tuple[str, ...] = ()
    small_game: Callable[[random.Random], tuple[Any, States]] | None = None


TRAINING_SPECS: dict[str, TrainingSpec] = {}
"""The registered training specs, keyed by game name."""


def add_training(training: TrainingSpec) -> None:
    """Register the training spec of a game."""
    TRAINING_SPECS[training.game.name] = training


def training_of(spec: GameSpec) -> TrainingSpec:
    """Return a game's training spec; if none is registered, one with `random` opponents and no imitation."""
    return TRAINING_SPECS.get(spec.name) or TrainingSpec(
        game=spec,
        matchups=partial(random_matchups, spec),
        baselines=("random",),
        defaults={
            "players": spec.player_counts(),
            "bots": ("random",),
            "teacher": "random",
            "imitation_timesteps": 0,
        },
    )


def random_matchups(spec: GameSpec, players: Sequence[int]) -> list[Matchup]:
    """Return one matchup against `random` for every player count."""
    return [
        Matchup(f"random_{count}p", table_id(spec), {**spec.player_settings(count), "opponents": "random"})
        for count in sorted(set(players))
    ]


def table_id(spec: GameSpec) -> str:
    """Return the id of the environment with a learner in one seat and opponents in the other seats."""
    modes = [mode.name for mode in spec.env_modes if mode.has_opponents]
    if not modes:
        raise ValueError(f"{spec.title} has no environment with opponents")
    return spec.id_of(modes[0])


def is_solo(spec: GameSpec, players: Sequence[int]) -> bool:
    """Return whether the player counts select the single-player game; see `SoloSpec`."""
    return training_of(spec).solo is not None and tuple(players) == (1,)


def kinds_of(spec: GameSpec, players: Sequence[int], handicaps: Sequence[int] = (0,)) -> list[GameKind]:
    """Return the training games' settings for the player counts or, in the solo game, for the handicaps."""
    solo = training_of(spec).solo
    if solo is not None and is_solo(spec, players):
        return solo.kinds(handicaps)
    kinds = training_of(spec).kinds
    return [{**spec.player_settings(count), **kind} for count in players for kind in kinds]
