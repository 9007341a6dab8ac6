"""The address at which a page in shared work says that its sign-in has ended, so that the partners learn why it waits.

Such a page has no session, so the address is signed. It is good for nothing else, and only while the work lasts.
"""

from __future__ import annotations

import uuid

from django.core.signing import Signer
from django.urls import reverse
from django.utils.crypto import constant_time_compare


def url(assignment: uuid.UUID) -> str:
    """The address for the page of this assignment."""
    return reverse("signing_in", args=[assignment, signature(assignment)])


def is_signed(assignment: uuid.UUID, token: str) -> bool:
    """Whether the token is the one of this assignment's page."""
    return constant_time_compare(token, signature(assignment))


def signature(assignment: uuid.UUID) -> str:
    """The token in the address."""
    return Signer(salt="frontend.work.signing_in").signature(str(assignment))
