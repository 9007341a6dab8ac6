"""How people see it: pages, htmx, settings, server."""

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    """The app of that layer."""

    name = "frontend"
