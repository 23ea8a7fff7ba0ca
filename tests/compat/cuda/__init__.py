"""Programs that `test_cuda.py` runs in processes of their own."""
