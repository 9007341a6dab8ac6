"""What tells of the API itself: its schema, the page that lists it and tries it, and addresses that do not exist."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.errors import NotFound
from frontend.api.base import ApiView
from frontend.requests import AuthedRequest, file_view
from qualification.models import TokenScope


class SchemaView(SpectacularAPIView):
    """The schema of all addresses, for tools that make clients; it tells nothing of a site, and needs no token."""

    authentication_classes: list[type] = []
    permission_classes: list[type] = []
    throttle_classes: list[type] = []
    renderer_classes = [OpenApiJsonRenderer]


@file_view
def page(request: AuthedRequest) -> HttpResponse:
    """Every address with its parameters and answers, and a form to call it."""
    return render(request, "api/page.html")


class MissingView(ApiView):
    """404, in the form of the API's other refusals."""

    scopes = frozenset(TokenScope)
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Nothing is asked of who calls."""
        raise NotFound

    def get(self, request: Request, **kwargs: Any) -> Answer:
        """Never reached: it makes this method known."""
        raise NotFound

    post = put = patch = delete = get
