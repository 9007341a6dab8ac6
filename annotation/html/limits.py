"""The error for pages that can't be imported or shown, and the limits of a page: beyond them a raw page is refused, and
a published one is kept but can't be shown."""

from __future__ import annotations

from annotation.errors import Refused


class PageRefused(Refused):
    """The page can't be imported, or a published one can't be shown; `reason` is one English sentence."""

    reason = "page_refused"

    def __init__(self, reason: str) -> None:
        super().__init__(reason, reason=reason)


BYTES_LIMIT = 4 * 1024 * 1024
TOKENS_LIMIT = 60_000
MARKUP_LIMIT = 200_000
"""Tags and character references together; bounds the time for a hostile page to a second or two."""


def check_size(source: bytes) -> None:
    """Raise PageRefused for too many bytes, tags or character references."""
    if len(source) > BYTES_LIMIT:
        raise PageRefused(f"The page has {len(source):,} bytes; the limit is {BYTES_LIMIT:,}.")
    count = source.count(b"<") + source.count(b"&")
    if count > MARKUP_LIMIT:
        raise PageRefused(f"The page has {count:,} tags and character references; the limit is {MARKUP_LIMIT:,}.")


def check_tokens(count: int) -> None:
    """Raise PageRefused for too many tokens."""
    if count > TOKENS_LIMIT:
        raise PageRefused(f"The page has {count:,} tokens; the limit is {TOKENS_LIMIT:,}.")
