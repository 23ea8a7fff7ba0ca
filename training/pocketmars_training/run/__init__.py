"""A training run: its settings, folder, checkpoints and evaluation."""
