"""Judging rounds: what is judged, under which rubric, and how a draw is sealed."""
