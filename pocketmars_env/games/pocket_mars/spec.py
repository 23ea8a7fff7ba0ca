"""The `GameSpec` of Pocket Mars: the game's interface to environments, bots and training."""

from typing import Any

from pocketmars_env.core.game_spec import EnvMode, GameSpec
from pocketmars_env.core.presentation.interface import Presentation
from pocketmars_env.games.pocket_mars.config import TITLE, GameConfig, config_of, seat_name
from pocketmars_env.games.pocket_mars.episode_length import MAX_EPISODE_STEPS, most_decisions
from pocketmars_env.games.pocket_mars.kernels import KERNELS
from pocketmars_env.games.pocket_mars.observation.layout import OBSERVATION_LAYOUT
from pocketmars_env.games.pocket_mars.rules.actions import ACTION_BLOCKS, DECISIONS
from pocketmars_env.games.pocket_mars.rules.constants import Termination
from pocketmars_env.games.pocket_mars.rules.scoring import MARGIN_BOUND, MAX_SCORE
from pocketmars_env.games.pocket_mars.rules_version import (
    RULES_VERSION,
    VERSION_0_OBSERVATION_SIZE,
    version_0_message,
)
from pocketmars_env.games.pocket_mars.snapshots.from_snapshot import check_record
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states, resume_state, snapshot
from pocketmars_env.games.pocket_mars.text.action_text import action_name, describe_action
from pocketmars_env.games.pocket_mars.text.observation_text import entry_name


def seat_names(config: GameConfig) -> tuple[str, ...]:
    """Return the names of all seats, including the seat of Devious Automatics (DA)."""
    return tuple(seat_name(config.mode, seat) for seat in range(config.seats))


def label_of(config: GameConfig) -> str:
    """Return the label of a configuration, such as "solo-cyborg-handicap-6" or "3-players-draft"."""
    kind = f"solo-{config.level}" if config.is_solo else f"{config.players}-players"
    handicap = f"-handicap-{config.handicap}" if config.handicap else ""
    return f"{kind}{handicap}{'-draft' if config.draft else ''}"


def solo_settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the given settings, adapted to the solo game against the DA."""
    return {**given, "players": 1, "mode": "solo"}


def table_settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the given settings, adapted to a game in which agents play all seats, including the DA's."""
    return {**given, "da_agent": given.get("mode") == "solo"}


def presentation() -> Presentation:
    """Return the presentation of Pocket Mars; the first call imports its module."""
    # not imported at the top, because most games are played without a presentation
    from pocketmars_env.games.pocket_mars.presentation import PocketMarsPresentation

    return PocketMarsPresentation()


SOLO = EnvMode("Solo", False, ("players", "mode", "da_agent"), solo_settings)
TABLE = EnvMode("Table", True, ("da_agent",), table_settings)

SPEC = GameSpec(
    name="pocket_mars",
    title=TITLE,
    rules_version=RULES_VERSION,
    config=GameConfig,
    config_of=config_of,
    kernels=KERNELS,
    blocks=ACTION_BLOCKS,
    layout=OBSERVATION_LAYOUT,
    decisions=DECISIONS,
    action_name=action_name,
    describe_action=describe_action,
    blank_states=blank_states,
    check_record=check_record,
    snapshot=snapshot,
    resume_state=resume_state,
    older_version=version_0_message,
    older_observation_sizes=(VERSION_0_OBSERVATION_SIZE,),
    seat_names=seat_names,
    largest_count=lambda config: config.round_limit,
    label_of=label_of,
    env_modes=(SOLO, TABLE),
    namespace="pocketmars",
    max_decisions=MAX_EPISODE_STEPS,
    most_decisions=most_decisions,
    margin_bound=MARGIN_BOUND,
    max_margin=MAX_SCORE,
    entry_name=entry_name,
    terminations=tuple(termination.name for termination in Termination),
    presentation=presentation,
    measured={
        "2p": GameConfig(2),
        "3p": GameConfig(3),
        "4p": GameConfig(4),
        "solo": GameConfig(mode="solo"),
    },
)
