"""Texts of Project Mars."""
