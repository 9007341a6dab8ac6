"""Prolific as its documentation describes it, in a server of our own: tests have no other."""
