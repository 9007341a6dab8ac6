"""Signed addresses of the images in a frame document: it has an opaque origin, so no session comes along with them."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest
from django.urls import reverse

LASTS = timedelta(hours=12)
"""A page may stay open for a working day; that its work is still in hand is looked at each time."""


def folder_url(request: HttpRequest, assignment: uuid.UUID, stage: str) -> str:
    """The address below which the images of that stage's page lie, by their places, from now on until LASTS is over."""
    named = {"uuid": assignment, "stage": stage, "token": token(assignment, stage), "place": 0}
    return request.build_absolute_uri(reverse("picture", kwargs=named).removesuffix("0/"))


def token(assignment: uuid.UUID, stage: str) -> str:
    """What makes such an address valid: when it was signed and the signature."""
    named = _name(assignment, stage)
    return _signer().sign(named).removeprefix(f"{named}.")


def are_signed(assignment: uuid.UUID, stage: str, given: str) -> bool:
    """Whether that token was given out for that stage, not too long ago."""
    try:
        _signer().unsign(f"{_name(assignment, stage)}.{given}", max_age=LASTS)
    except BadSignature:
        return False
    return True


def _signer() -> TimestampSigner:
    return TimestampSigner(sep=".", salt="frontend.image_urls")


def _name(assignment: uuid.UUID, stage: str) -> str:
    return f"{assignment}/{stage}"
