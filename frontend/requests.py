"""What views take and read: kinds of views for people who are signed in, values of addresses, the client's address."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.middleware import HtmxDetails

from annotation.models import User


class AuthedRequest(HttpRequest):
    """A request with our User and django-htmx's `htmx`.

    For type annotations only: Django creates plain HttpRequests. Views that ask nobody to sign in take HttpRequests.
    """

    user: User
    htmx: HtmxDetails


P = ParamSpec("P")
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def page_view(view: View) -> View:
    """A page for people who are signed in; browsers keep no copy of it."""
    return login_required(never_cache(require_GET(view)))


def file_view(view: View) -> View:
    """A file, or a page that never changes, of which browsers keep a copy for as long as its own headers allow."""
    return login_required(require_GET(view))


def form_view(view: View) -> View:
    """A page with a form that is sent to the address of the page; browsers keep no copy of it."""
    return login_required(never_cache(require_http_methods(["GET", "POST"])(view)))


def action_view(view: View) -> View:
    """Something that people who are signed in do by a button, which leads to a page."""
    return login_required(require_POST(view))


def answer_view(view: View) -> View:
    """The same, answered at once by a page of which browsers keep no copy."""
    return login_required(never_cache(require_POST(view)))


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
