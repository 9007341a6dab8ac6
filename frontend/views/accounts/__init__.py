"""Joining, signing in, and a person's own account."""
