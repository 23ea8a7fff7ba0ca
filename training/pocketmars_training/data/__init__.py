"""What a network learns from: games, experience, imitation and search."""
