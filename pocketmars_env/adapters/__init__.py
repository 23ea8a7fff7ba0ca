"""Adapters to the interfaces of other game libraries."""
