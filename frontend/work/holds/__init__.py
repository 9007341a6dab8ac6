"""Kinds of holds on work: what the work screen needs of each, whatever it is that holds the work."""
