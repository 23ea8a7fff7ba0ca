"""Games and rollouts on the network's device, for `device_ppo.py`."""
