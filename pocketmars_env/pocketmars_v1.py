"""Pocket Mars as a PettingZoo environment, version 1; `pocketmars_env.envs.aec` describes it."""

from pocketmars_env.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
