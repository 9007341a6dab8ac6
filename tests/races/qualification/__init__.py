"""Races for grants and exams."""
