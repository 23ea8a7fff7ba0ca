"""Data from outside and files: read with limits, written whole or not at all."""
