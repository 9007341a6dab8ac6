"""Mutation testing: would a test fail if a line of the modules that decide who does what, and when, were wrong?

Mutants are made of Python's own syntax trees, and a warm process forks to try each. mutmut leaves decorated functions
out, which services are, and cosmic-ray starts Python, Django and pytest anew for each mutant.
"""
