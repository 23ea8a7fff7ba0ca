"""Adapters to the interfaces of other libraries, such as OpenSpiel, RLlib and Stable-Baselines3."""
