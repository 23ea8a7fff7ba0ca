"""The game as PettingZoo and Gymnasium environments."""
