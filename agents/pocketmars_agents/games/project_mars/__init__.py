"""Project Mars for bots: evaluation, shipped policy, and parts of the commands."""
