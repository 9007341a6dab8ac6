"""How often a token may call: so many requests a minute, then 429 with `Retry-After`."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class TokenThrottle(SimpleRateThrottle):
    """Counts the requests of a token in the last minute; those without one are refused before, and not counted."""

    scope = "token"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """The counter of the token."""
        return f"api-{request.auth.secret_sha256}" if request.auth is not None else None
