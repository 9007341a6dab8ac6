"""The hidden fields of a page that speaks: its submission key, what it knew, and which page load it is."""

from __future__ import annotations

import uuid as uuids

from django.http import HttpRequest

from annotation.errors import StalePage
from tasks.tabs import Tab


def key_of(request: HttpRequest) -> uuids.UUID:
    """The submission key that the page was made with."""
    try:
        return uuids.UUID(request.POST.get("submission_key", ""))
    except ValueError:
        raise StalePage from None


def seen_of(request: HttpRequest) -> int:
    """How many responses the page knew."""
    try:
        return int(request.POST.get("seen", ""))
    except ValueError:
        raise StalePage from None


def tab_of(request: HttpRequest) -> Tab | None:
    """The page load that speaks and the one that counted when it was shown; None where no page speaks."""
    client = _uuid(request.POST.get("client", ""))
    if client is None:
        return None
    base = request.POST.get("base", "")
    return Tab(
        client=client,
        after=_uuid(request.POST.get("after", "")),
        base=int(base) if base.isascii() and base.isdigit() and len(base) < 10 else 0,
    )


def _uuid(text: str) -> uuids.UUID | None:
    try:
        return uuids.UUID(text)
    except ValueError:
        return None
