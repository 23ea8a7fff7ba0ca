"""Games played by bots: runs, results files, tables, ratings and comparisons."""
