"""States as plain data, and back."""
