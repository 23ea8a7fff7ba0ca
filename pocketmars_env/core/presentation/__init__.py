"""The presentation of a game: names, texts, pictures, choices and a guide for all displays."""
