"""The prompts for a game: a system prompt with the rules, and a user prompt for each decision."""

from functools import cache

from pocketmars_env.core.game import View
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.interface import card_line
from pocketmars_env.core.presentation.presenting import presentation_of

INSTRUCTIONS = """\
You play {title}. At each decision you get the position and your legal actions, with numbers.
Choose the best one. End your reply with its number, in a line such as:
ACTION: 57"""


@cache
def system_prompt(spec: GameSpec) -> str:
    """Return a game's system prompt: the reply format and, if available, rules, notation and card texts."""
    presentation = presentation_of(spec)
    texts = [card_line(name, text) for name, text in presentation.card_texts().items()]
    parts = (
        INSTRUCTIONS.format(title=spec.title),
        presentation.rules().strip(),
        f"Notation:\n{presentation.legend}" if presentation.legend else "",
        "\n".join(["Cards:", *texts]) if texts else "",
    )
    return "\n\n".join(part for part in parts if part)


def decision_prompt(view: View) -> str:
    """Return the user prompt for one decision: a description of the view, and a list of the legal actions."""
    if not view.legal:
        raise ValueError(f"it is not seat {view.seat}'s turn")
    return f"{view.describe()}\n\nYour legal actions:\n{view.list_actions()}"
