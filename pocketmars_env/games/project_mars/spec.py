"""The `GameSpec` of Project Mars: the game's interface to environments, bots and training."""

from pocketmars_env.core.game_spec import EnvMode, GameSpec
from pocketmars_env.core.presentation.interface import Presentation
from pocketmars_env.games.project_mars.codec import ProjectMarsCodec
from pocketmars_env.games.project_mars.config import TITLE, DuelConfig
from pocketmars_env.games.project_mars.kernels import KERNELS
from pocketmars_env.games.project_mars.observation.layout import OBSERVATION_LAYOUT
from pocketmars_env.games.project_mars.rules.actions import ACTION_BLOCKS, DECISIONS
from pocketmars_env.games.project_mars.rules.constants import Termination
from pocketmars_env.games.project_mars.rules.scoring import MARGIN_BOUND
from pocketmars_env.games.project_mars.text.action_text import action_name, describe_action

RULES_VERSION = 0
"""The version of the rules, observations and actions; environment ids end with this number."""
MAX_DECISIONS = 360
"""Upper bound on the number of decisions in a game."""


def presentation() -> Presentation:
    """Import and return the game's presentation."""
    # not at the top of the module, because most programs need no presentation
    from pocketmars_env.games.project_mars.presentation import ProjectMarsPresentation

    return ProjectMarsPresentation()


DUEL = EnvMode("Duel", True, (), lambda settings: settings)

SPEC = GameSpec(
    name="project_mars",
    title=TITLE,
    rules_version=RULES_VERSION,
    config=DuelConfig,
    kernels=KERNELS,
    codec=ProjectMarsCodec(),
    blocks=ACTION_BLOCKS,
    layout=OBSERVATION_LAYOUT,
    decisions=DECISIONS,
    action_name=action_name,
    describe_action=describe_action,
    env_modes=(DUEL,),
    max_decisions=MAX_DECISIONS,
    margin_bound=MARGIN_BOUND,
    terminations=tuple(termination.name for termination in Termination),
    presentation=presentation,
)
