"""Annotators’ own work by script."""
