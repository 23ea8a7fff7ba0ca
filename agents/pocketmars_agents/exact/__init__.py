"""Exact values of small games: best responses, NashConv, and optimal strategies."""
