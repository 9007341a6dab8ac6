"""The pages on which leads set up a project."""
