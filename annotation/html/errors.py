"""The error for pages that can't be imported or shown."""

from __future__ import annotations

from annotation.errors import Refused


class PageRefused(Refused):
    """The page can't be imported, or a published one can't be shown; `reason` is one English sentence."""

    reason = "page_refused"

    def __init__(self, reason: str) -> None:
        super().__init__(reason, reason=reason)
