"""The type of the request that a view behind `login_required` gets."""

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
