"""Reading of files with size limits, atomic writing, file locks, and handling of output errors."""
