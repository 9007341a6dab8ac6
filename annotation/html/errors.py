"""Why a page cannot be taken in."""

from __future__ import annotations


class PageRefused(Exception):
    """A page that is not imported; `reason` is one English sentence for the import report."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
