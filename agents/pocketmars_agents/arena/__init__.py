"""Matches between bots: worker processes, results files, tables, ratings and comparisons."""
