"""Code that every game shares: compilation, random numbers, game objects, and input and output."""
