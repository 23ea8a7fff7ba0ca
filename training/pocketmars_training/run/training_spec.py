"""What training needs to know about a game, beside its `GameSpec`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pocketmars_env.core.game_spec import GameSpec

Kind = dict[str, Any]
"""Settings of a game."""


@dataclass(frozen=True)
class Rung:
    """What the agent is measured against.

    Attributes:
        name: for logs, such as ``"standard"`` or ``"greedy_2p"``.
        environment: id of the environment.
        settings: of the environment.

    """

    name: str
    environment: str
    settings: Kind = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SoloSpec:
    """A game for one player, which the setting ``players=(1,)`` stands for.

    Attributes:
        kinds: the kinds of games, from the handicaps.
        max_handicap: the largest handicap.
        ladder: the rungs of its ladder.

    """

    kinds: Callable[[Sequence[int]], list[Kind]]
    max_handicap: int
    ladder: tuple[Rung, ...]


@dataclass(frozen=True, kw_only=True)
class TrainingSpec:
    """What training needs to know about a game.

    Attributes:
        game: the game.
        ladder: the rungs of the ladder for some player counts.
        rivals: bots that are measured on the ladder beside the learner, when it has learnt.
        defaults: defaults of settings where they differ from those that a script shows.
        solo: its game for one player, if it has one.

    """

    game: GameSpec
    ladder: Callable[[Sequence[int]], list[Rung]]
    opponent_win_split: tuple[str, ...]
    defaults: dict[str, Any] = field(default_factory=dict)
    solo: SoloSpec | None = None


TRAINING_SPECS: dict[str, TrainingSpec] = {}
"""By the name of the game."""


def add_training(training: TrainingSpec) -> None:
    """Register what training needs to know about a game."""
    TRAINING_SPECS[training.game.name] = training


def training_of(spec: GameSpec) -> TrainingSpec:
    """What is registered for a game; otherwise a training against `random`, without an imitation."""
    return TRAINING_SPECS.get(spec.name) or TrainingSpec(
        game=spec,
        ladder=partial(random_ladder, spec),
        opponent_win_split=("random",),
        defaults={
            "players": player_counts(spec),
            "bots": ("random",),
            "teacher": "random",
            "imitation": 0,
        },
    )


def random_ladder(spec: GameSpec, players: Sequence[int]) -> list[Rung]:
    """Every player count against `random`."""
    return [
        Rung(f"random_{count}p", table_id(spec), {"players": count, "opponents": "random"})
        for count in sorted(set(players))
    ]


def player_counts(spec: GameSpec) -> tuple[int, ...]:
    """The player counts that a game accepts with its other settings at their defaults."""

    def is_accepted(count: int) -> bool:
        try:
            spec.config(players=count)
        except ValueError:
            return False
        return True

    return tuple(filter(is_accepted, range(1, spec.max_seats + 1)))


def table_id(spec: GameSpec) -> str:
    """The id of the environment with one seat among opponents.

    Raises:
        ValueError: if the game has no such environment.

    """
    modes = [mode.name for mode in spec.env_modes if mode.has_opponents]
    if not modes:
        raise ValueError(f"{spec.title} has no environment with opponents")
    return spec.id_of(modes[0])


def is_solo(spec: GameSpec, players: Sequence[int]) -> bool:
    """Whether these player counts stand for the game for one player, see `SoloSpec`."""
    return training_of(spec).solo is not None and tuple(players) == (1,)


def kinds_of(spec: GameSpec, players: Sequence[int], handicaps: Sequence[int] = (0,)) -> list[Kind]:
    """The settings of `Games` for each player count, or those of the game for one player."""
    solo = training_of(spec).solo
    if solo is not None and is_solo(spec, players):
        return solo.kinds(handicaps)
    return [{"players": count} for count in players]
