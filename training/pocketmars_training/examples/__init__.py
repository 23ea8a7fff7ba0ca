"""Minimal training scripts for other libraries, one for each library; copy and adapt them."""
