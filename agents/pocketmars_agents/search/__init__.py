"""Searches and look-ahead, compiled."""
