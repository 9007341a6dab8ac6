"""Views of releases."""
