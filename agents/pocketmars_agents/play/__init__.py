"""Games with people in some of the seats."""
