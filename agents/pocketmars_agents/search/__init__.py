"""Compiled tree search and look-ahead search."""
