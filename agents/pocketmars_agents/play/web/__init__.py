"""Web interface for human players."""
