"""Programs that `test_cuda.py` runs in separate processes."""
