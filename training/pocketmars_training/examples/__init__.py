"""Minimal training scripts, one for each library, to copy and adapt."""
