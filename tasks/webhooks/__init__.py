"""Webhooks: who is told what has happened in a project, by signed calls that are tried until they arrive."""
