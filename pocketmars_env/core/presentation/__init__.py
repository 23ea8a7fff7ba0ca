"""The presentation of a game for all user interfaces: texts, pictures, choices and a guide."""
