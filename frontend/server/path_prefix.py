"""The path below which the site is served (PATH_PREFIX), taken off before anything else looks at a path.

Django writes it before every address, as its FORCE_SCRIPT_NAME. A proxy may pass it on or take it off itself.
"""

from __future__ import annotations

from django.conf import settings

from frontend.server.gateway import App, Receive, Scope, Send


def without_prefix(path: str) -> str:
    """The path inside the site; one that does not begin with the prefix stays as it is."""
    prefix = settings.FORCE_SCRIPT_NAME or ""
    inside = path.removeprefix(prefix)
    return inside or "/" if prefix and inside[:1] in ("", "/") else path


class PathPrefix:
    """An ASGI application whose `scope` has paths inside the site."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or socket."""
        await self._app({**scope, "path": without_prefix(scope["path"])} if "path" in scope else scope, receive, send)
