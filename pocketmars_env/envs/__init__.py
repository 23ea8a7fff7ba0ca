"""PettingZoo and Gymnasium environments."""
