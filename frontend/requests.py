"""What views read from requests: the type behind `login_required`, values of addresses, the client's address."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest
from django.utils.dateparse import parse_date
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


def parse_day(text: str) -> date | None:
    """The day that an address names; None for what is no date."""
    try:
        return parse_date(text)
    except ValueError:
        return None


def client_address(request: HttpRequest) -> str:
    """The address of the client; "" if there is none, as in tests."""
    return str(request.META.get("REMOTE_ADDR", ""))
