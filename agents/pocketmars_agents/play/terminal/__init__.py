"""Terminal interface for human players."""
