"""Signed URLs of the images in a frame document, whose opaque origin sends no session cookie."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest
from django.urls import reverse

LASTS = timedelta(hours=12)
"""A page may stay open for a working day. Each request also checks that the work is still in hand."""


def folder_url(request: HttpRequest, assignment: uuid.UUID, step: str) -> str:
    """The signed base URL of the images of a stage's page, to which their places are appended; valid for LASTS."""
    named = {"uuid": assignment, "step": step, "token": token(assignment, step), "place": 0}
    return request.build_absolute_uri(reverse("picture", kwargs=named).removesuffix("0/"))


def token(assignment: uuid.UUID, step: str) -> str:
    """Timestamp and signature."""
    named = _name(assignment, step)
    return _signer().sign(named).removeprefix(f"{named}.")


def are_signed(assignment: uuid.UUID, step: str, given: str) -> bool:
    """Whether the token is valid for that stage and not expired."""
    try:
        _signer().unsign(f"{_name(assignment, step)}.{given}", max_age=LASTS)
    except BadSignature:
        return False
    return True


def _signer() -> TimestampSigner:
    return TimestampSigner(sep=".", salt="frontend.image_urls")


def _name(assignment: uuid.UUID, step: str) -> str:
    return f"{assignment}/{step}"
