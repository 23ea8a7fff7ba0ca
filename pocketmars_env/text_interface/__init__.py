"""Games as text for language models: prompts, parsing of replies, and an environment that uses both."""

from pocketmars_env.text_interface.prompts import decision_prompt, system_prompt
from pocketmars_env.text_interface.replies import ReplyError, parse_action
from pocketmars_env.text_interface.text_env import TextEnv, TextStep

__all__ = ["ReplyError", "TextEnv", "TextStep", "decision_prompt", "parse_action", "system_prompt"]
