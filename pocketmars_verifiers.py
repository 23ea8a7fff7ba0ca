"""The name under which verifiers finds the games: ``vf-eval pocketmars-verifiers``."""

from pocketmars_env.adapters.verifiers import GameEnv, GameTaskset

__all__ = ["GameEnv", "GameTaskset"]
