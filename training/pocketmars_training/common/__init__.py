"""Code that the training scripts share."""
