"""Races of judging rounds and their meetings."""
