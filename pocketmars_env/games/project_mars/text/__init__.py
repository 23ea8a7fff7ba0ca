"""Project Mars in words."""
