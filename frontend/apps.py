"""The Django app of the top layer: pages, htmx, settings, server."""

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    """See the module."""

    name = "frontend"
