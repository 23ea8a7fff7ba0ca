"""Cards, actions, positions and the log as text."""
