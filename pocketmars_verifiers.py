"""Entry point for the verifiers library, which finds it by name: ``vf-eval pocketmars-verifiers``."""

from pocketmars_env.adapters.verifiers import GameEnv, GameTaskset

__all__ = ["GameEnv", "GameTaskset"]
