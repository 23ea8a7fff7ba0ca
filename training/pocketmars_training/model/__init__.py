"""The network that learns, and its export."""
