"""A position as one seat may know it."""
