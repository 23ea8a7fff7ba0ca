"""Games between bots: playing, results files, tables, ratings and comparisons."""
