"""Calls of the API that meet."""
