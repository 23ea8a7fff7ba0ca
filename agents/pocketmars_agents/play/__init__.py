"""Interactive games, in which people play one or more seats."""
