"""Training scripts and the environment for Stable-Baselines3."""
