"""The `GameSpec` of Project Mars: the game's interface to environments, bots and training."""

from pocketmars_env.core.game_spec import EnvMode, GameSpec
from pocketmars_env.core.presentation.interface import Presentation
from pocketmars_env.games.project_mars.config import TITLE, DuelConfig, config_of
from pocketmars_env.games.project_mars.kernels import KERNELS
from pocketmars_env.games.project_mars.observation.layout import OBSERVATION_LAYOUT
from pocketmars_env.games.project_mars.rules.actions import ACTION_BLOCKS, DECISIONS
from pocketmars_env.games.project_mars.rules.constants import Termination
from pocketmars_env.games.project_mars.rules.scoring import MARGIN_BOUND
from pocketmars_env.games.project_mars.snapshots.from_snapshot import check_record
from pocketmars_env.games.project_mars.snapshots.notation import blank_states, resume_state, snapshot
from pocketmars_env.games.project_mars.text.action_text import action_name, describe_action

RULES_VERSION = 0
"""The version of the rules, observations and actions; environment ids end with this number."""
MAX_DECISIONS = 360
"""Upper bound on the number of decisions in a game."""


def seat_names(config: DuelConfig) -> tuple[str, ...]:
    return tuple(f"player_{seat}" for seat in range(config.seats))


def label_of(config: DuelConfig) -> str:
    """Return a configuration's label: the mode and the names of starter decks, such as ``"same-machines"``.

    Different configurations can have the same label, because it omits `copies` and decks given as lists.
    """
    decks = [deck for deck in (config.deck_0, config.deck_1) if isinstance(deck, str)]
    return "-".join([config.mode, *decks])


def presentation() -> Presentation:
    """Import and return the game's presentation."""
    # not at the top of the module, because most programs need no presentation
    from pocketmars_env.games.project_mars.presentation import ProjectMarsPresentation

    return ProjectMarsPresentation()


DUEL = EnvMode("Duel", True, (), lambda given: given)

SPEC = GameSpec(
    name="project_mars",
    title=TITLE,
    rules_version=RULES_VERSION,
    config=DuelConfig,
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
    seat_names=seat_names,
    label_of=label_of,
    env_modes=(DUEL,),
    namespace="projectmars",
    max_decisions=MAX_DECISIONS,
    margin_bound=MARGIN_BOUND,
    terminations=tuple(termination.name for termination in Termination),
    presentation=presentation,
    measured={"starter": DuelConfig(), "random": DuelConfig(mode="random")},
)
