"""What every game shares: compilation, random numbers, the game objects, and data from outside."""
