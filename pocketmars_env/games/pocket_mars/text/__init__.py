"""Cards, actions and whole games as text."""
