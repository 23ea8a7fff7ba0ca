"""A small third-party game, and tests of everything that works with it once it is registered."""
