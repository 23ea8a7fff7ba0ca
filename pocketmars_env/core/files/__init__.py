"""Reading of files up to a maximum size, atomic writing, file locks, and handling of output errors."""
