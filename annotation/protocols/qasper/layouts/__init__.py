"""Layouts of files that others have: of S2ORC, and what is exchanged with other annotation tools."""
