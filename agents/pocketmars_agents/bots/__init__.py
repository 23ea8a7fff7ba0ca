"""The random, look-ahead, tree-search and policy bots."""
