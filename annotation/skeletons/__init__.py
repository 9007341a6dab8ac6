"""Running protocols that `manage.py new_protocol` copies: `one` for one annotator, `pair` for two people who talk."""
