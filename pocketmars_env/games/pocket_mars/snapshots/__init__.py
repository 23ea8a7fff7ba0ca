"""Creates and checks snapshots (positions as plain data), and restores positions from them.

Several phases, such as system failure, can come between an action and the next decision; `phases.py` finds
the positions between these phases.
"""
