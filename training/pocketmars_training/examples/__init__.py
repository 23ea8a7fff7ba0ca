"""Minimal training scripts with RLlib, Tianshou and TorchRL, to copy and adapt."""
