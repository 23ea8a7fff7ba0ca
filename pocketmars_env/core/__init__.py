"""Code that all games share: compilation, random numbers, game objects, and file input and output."""
