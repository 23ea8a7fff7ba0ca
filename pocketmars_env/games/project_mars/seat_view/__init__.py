"""A position as one seat knows it."""
