"""Webhooks: what is delivered, when, and how it is signed."""
