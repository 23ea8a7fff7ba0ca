"""Positions as plain data: how to create, check and restore them.

Several phases of the game can pass between an action and the next decision; the module `phases.py` finds the
positions between these phases.
"""
