"""Pocket Mars: rules, observations, texts, pictures and snapshots."""
