"""Interactive games, with people in one or more seats."""
