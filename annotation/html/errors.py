"""The error for pages that can't be imported."""

from __future__ import annotations


class PageRefused(Exception):
    """The page can't be imported; `reason` is one English sentence for the import report."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
