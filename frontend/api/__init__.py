"""The API under /api/v1/: the same access functions and services as the pages, called with tokens of people."""
