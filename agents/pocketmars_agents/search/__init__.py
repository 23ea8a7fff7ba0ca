"""Compiled tree searches and look-ahead search."""
