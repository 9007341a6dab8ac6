"""What views read from requests: the type behind `login_required`, values of addresses, the client's address."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django_htmx.middleware import HtmxDetails

from annotation.models import User


class AuthedRequest(HttpRequest):
    """A request with our User and django-htmx's `htmx`.

    For type annotations only: Django creates plain HttpRequests. A view without `login_required` takes an HttpRequest.
    """

    user: User
    htmx: HtmxDetails


P = ParamSpec("P")


def in_utc(
    view: Callable[Concatenate[AuthedRequest, P], HttpResponse],
) -> Callable[Concatenate[AuthedRequest, P], HttpResponse]:
    """Show the times of a page in UTC, where it counts or asks for days, which are those of UTC."""

    @wraps(view)
    def view_in_utc(request: AuthedRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with timezone.override(UTC):
            return view(request, *args, **kwargs)

    return view_in_utc


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
