"""What one seat may see of a position. Pictures, logs and pages are made from it."""
