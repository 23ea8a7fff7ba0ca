"""Project Mars: evaluation, shipped policy and default bots."""
