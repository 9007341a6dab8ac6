"""Annotators’ own work by script: with the same holds, sheets and services as the pages of the work."""
