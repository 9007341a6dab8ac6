"""Calls to other hosts."""
