"""Code that all games share, such as compilation, random numbers, game objects, and file input and output."""
