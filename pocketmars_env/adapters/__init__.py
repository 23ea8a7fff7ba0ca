"""The game in the form that other libraries for games want."""
