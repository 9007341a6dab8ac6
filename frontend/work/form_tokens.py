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
    client = uuid_of(request, "client")
    if client is None:
        return None
    return Tab(client=client, after=uuid_of(request, "after"), base=number_of(request, "base"))


def number_of(request: HttpRequest, name: str) -> int:
    """A number of a field; 0 where there is none."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def uuid_of(request: HttpRequest, name: str) -> uuids.UUID | None:
    """The uuid of a field; None where there is none."""
    try:
        return uuids.UUID(request.POST.get(name, ""))
    except ValueError:
        return None
