"""The shortest way to train with other libraries: one script each, to copy."""
