"""Frozen values that protocols receive, return or declare."""
