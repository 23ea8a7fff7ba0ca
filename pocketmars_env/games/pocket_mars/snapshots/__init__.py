"""Positions as plain data: how to create, check and restore them.

Several phases, such as system failure, can come between an action and the next decision; `phases.py` finds
the positions between these phases.
"""
