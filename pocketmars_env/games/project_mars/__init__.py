"""Project Mars, a two-player card game played on four lanes."""
