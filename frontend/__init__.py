"""The top layer: pages, htmx, settings, server."""

from frontend.celery import app as celery_app

__all__ = ["celery_app"]
