"""Accounts: forms for joining and for signing in, and what a person's own account page shows."""
