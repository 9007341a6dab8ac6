"""The top layer: pages, htmx, settings, server."""
