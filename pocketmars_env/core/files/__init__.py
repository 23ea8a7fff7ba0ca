"""Reading of files with size limits, and atomic writing."""
