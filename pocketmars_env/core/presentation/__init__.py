"""The presentation of a game in all user interfaces: texts, pictures, choices and a guide."""
