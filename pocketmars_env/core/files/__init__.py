"""Input with limits, and atomic output."""
