"""Terminal program."""
