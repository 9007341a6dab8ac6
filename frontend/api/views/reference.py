"""The OpenAPI schema, and the page that lists the API and tries it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularAPIView

from frontend.requests import AuthedRequest


class SchemaView(SpectacularAPIView):
    """The schema of all addresses, for tools that make clients; it tells nothing of a site, and needs no token."""

    authentication_classes: list[type] = []
    permission_classes: list[type] = []
    throttle_classes: list[type] = []
    renderer_classes = [OpenApiJsonRenderer]


@login_required
@require_GET
def page(request: AuthedRequest) -> HttpResponse:
    """Every address with its parameters and answers, and a form to call it."""
    return render(request, "api/page.html")
