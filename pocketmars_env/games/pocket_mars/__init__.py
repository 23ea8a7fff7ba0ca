"""Pocket Mars: rules, texts, pictures and snapshots."""
