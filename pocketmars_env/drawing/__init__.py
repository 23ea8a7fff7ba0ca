"""Animations and windows."""
