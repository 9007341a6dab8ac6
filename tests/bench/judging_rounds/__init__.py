"""Judging rounds and their meetings."""
