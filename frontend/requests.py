"""What views read from requests: the type behind `login_required`, and the client's address."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from annotation.models import User


class AuthedRequest(HttpRequest):
    """A request with our User and django-htmx's `htmx`.

    For type annotations only: Django creates plain HttpRequests. A view without `login_required` takes an HttpRequest.
    """

    user: User
    htmx: HtmxDetails


LONGEST = 200
"""Characters of a value of an address that are read."""


def printable(value: str) -> str:
    """A value of an address without control characters, which a database may refuse."""
    return "".join(letter for letter in value[:LONGEST] if letter.isprintable()).strip()


def client_address(request: HttpRequest) -> str:
    """The address of the client; "" if there is none, as in tests."""
    return request.META.get("REMOTE_ADDR", "")
