"""Messages between the OpenEnv client and server."""

from openenv.core.env_server.types import Action, Observation
from pydantic import Field

from pocketmars_env.text_interface.replies import MAX_CHARACTERS


class TextGameAction(Action):  # type: ignore[misc]
    """A reply from a language model."""

    reply: str = Field(max_length=MAX_CHARACTERS, description="a reply that names a legal action")


class TextGameObservation(Observation):  # type: ignore[misc]
    """The observation that a language model receives; see `TextStep`."""

    text: str = Field(description="the next prompt, an error message, or a description of the final position")
    system_prompt: str = Field(
        default="", description="the reply format and the rules; empty except after a reset"
    )
    is_illegal: bool = Field(default=False, description="whether the reply named no legal action")
