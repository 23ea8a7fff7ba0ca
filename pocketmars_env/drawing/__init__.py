"""Pictures as films and in windows."""
