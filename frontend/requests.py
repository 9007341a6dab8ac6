"""The request that a view for signed-in people is given, as a type."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from annotation.models import User


class AuthedRequest(HttpRequest):
    """The request of a view behind `login_required`: its user is one of ours, and HtmxMiddleware has read it.

    For annotations only: Django makes plain requests. A view without `login_required` takes an HttpRequest.
    """

    user: User
    htmx: HtmxDetails
