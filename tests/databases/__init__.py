"""The databases of the tests."""
