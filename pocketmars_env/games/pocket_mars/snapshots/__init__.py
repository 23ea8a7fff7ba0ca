"""Positions as plain data: how to create, check and restore them.

The module `phases.py` finds the positions between the phases that follow an action.
"""
