"""Prolific, the recruitment site: what a project asks of its API, and what is kept of the answers.

EXPERIMENTAL: written after Prolific's public documentation (`tasks.prolific.api.DOCUMENTED_ON`), tested against a
server of our own that answers as documented, and not yet used with Prolific itself.
"""
