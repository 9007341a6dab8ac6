"""The board of a project, and its pictures and numbers to keep."""
