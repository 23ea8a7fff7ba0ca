"""What a game gives to every display: names, sentences, pictures, choices, a guide."""
