"""Atomic writing of files, file locks, and handling of output errors."""
