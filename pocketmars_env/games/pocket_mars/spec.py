"""The `GameSpec` of Pocket Mars: the game's interface to environments, bots and training."""

from pocketmars_env.core import layout
from pocketmars_env.core.game_spec import EnvMode, GameSpec
from pocketmars_env.core.presentation.interface import Presentation
from pocketmars_env.games.pocket_mars.codec import PocketMarsCodec
from pocketmars_env.games.pocket_mars.config import MAX_EPISODE_STEPS, TITLE, GameConfig
from pocketmars_env.games.pocket_mars.kernels import KERNELS
from pocketmars_env.games.pocket_mars.observation.layout import CARD_PLACES, OBSERVATION_LAYOUT
from pocketmars_env.games.pocket_mars.rules.actions import ACTION_BLOCKS, DECISIONS
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import Decision, Termination
from pocketmars_env.games.pocket_mars.rules.scoring import MARGIN_BOUND, MAX_SCORE
from pocketmars_env.games.pocket_mars.text.action_text import action_name, describe_action

RULES_VERSION = 1
"""The version of the rules, observations and actions; environment ids end with this number."""


def entry_name(piece: str, index: tuple[int, ...]) -> str:
    """Return the name of an observation entry, such as "Comms 1: own hand"."""
    if piece == "cards":
        return f"{CARDS[index[0]].name}: {CARD_PLACES[index[1]]}"
    if piece == "decision":
        return f"decision {Decision(index[0]).name}"
    return layout.entry_name(piece, index)


def presentation() -> Presentation:
    """Return the presentation of Pocket Mars; the first call imports its module."""
    # not imported at the top, because most games are played without a presentation
    from pocketmars_env.games.pocket_mars.presentation import PocketMarsPresentation

    return PocketMarsPresentation()


SOLO = EnvMode(
    "Solo",
    has_opponents=False,
    without=("players", "mode", "da_agent"),
    settings_of=lambda settings: {**settings, "players": 1, "mode": "solo"},
)
TABLE = EnvMode(
    "Table",
    has_opponents=True,
    without=("da_agent",),
    settings_of=lambda settings: {**settings, "da_agent": settings.get("mode") == "solo"},
)

SPEC = GameSpec(
    name="pocket_mars",
    title=TITLE,
    rules_version=RULES_VERSION,
    config=GameConfig,
    kernels=KERNELS,
    codec=PocketMarsCodec(),
    blocks=ACTION_BLOCKS,
    layout=OBSERVATION_LAYOUT,
    decisions=DECISIONS,
    action_name=action_name,
    describe_action=describe_action,
    env_modes=(SOLO, TABLE),
    max_decisions=MAX_EPISODE_STEPS,
    margin_bound=MARGIN_BOUND,
    max_margin=MAX_SCORE,
    entry_name=entry_name,
    terminations=tuple(termination.name for termination in Termination),
    presentation=presentation,
)
