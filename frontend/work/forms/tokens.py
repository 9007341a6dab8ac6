"""Hidden concurrency fields of the work form: idempotency key, number of responses seen, id of the page load."""

from __future__ import annotations

import uuid as uuids

from django.http import HttpRequest

from annotation.errors import StalePage
from tasks.engine.tabs import PageLoad


def key_of(request: HttpRequest) -> uuids.UUID:
    """The idempotency key that the page was rendered with."""
    try:
        return uuids.UUID(request.POST.get("submission_key", ""))
    except ValueError:
        raise StalePage from None


def seen_of(request: HttpRequest) -> int:
    """How many responses existed when the page was rendered: the version number of an optimistic lock."""
    try:
        return int(request.POST.get("seen", ""))
    except ValueError:
        raise StalePage from None


def tab_of(request: HttpRequest) -> PageLoad | None:
    """This page load, and the one that held the work when it was rendered; None if the request names none."""
    client = uuid_of(request, "client")
    if client is None:
        return None
    return PageLoad(client=client, after=uuid_of(request, "after"), base=number_of(request, "base"))


def number_of(request: HttpRequest, name: str) -> int:
    """A field as a non-negative integer; 0 if it is missing or malformed."""
    return whole_number(request.POST.get(name, ""))


def whole_number(text: str) -> int:
    """A text as a non-negative integer; 0 if it is none, or longer than nine digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def uuid_of(request: HttpRequest, name: str) -> uuids.UUID | None:
    """A field as a UUID; None if it is missing or malformed."""
    try:
        return uuids.UUID(request.POST.get(name, ""))
    except ValueError:
        return None
