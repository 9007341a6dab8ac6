"""Views of judging rounds."""
