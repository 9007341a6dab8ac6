"""Who calls the API, what with and how often: the person whose token the request bears. Cookies are not looked at."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from annotation import clock
from annotation.models import User
from qualification import api_tokens
from qualification.models import ApiToken, TokenScope


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer gf_...`; 401 for a token that is unknown, revoked or expired, or of a closed account."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The person and the token; None if the request bears none."""
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != b"bearer":
            return None
        secret = words[1].decode("latin-1") if len(words) == 2 else ""
        token = api_tokens.find(secret, now=clock.now())
        if token is None:
            raise exceptions.AuthenticationFailed(_("This token is not known, or it can no longer be used."))
        api_tokens.note_use(token, now=clock.now())
        return token.user, token

    def authenticate_header(self, request: Any) -> str:
        """What a 401 says is wanted."""
        return 'Bearer realm="Goldfinch"'


class HasScope(BasePermission):
    """401 without a token, and 403 for one of another scope; the project of another token does not exist (404).

    A view names `scopes`: those that may call it at all. `read` never changes anything.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the token may make such a call."""
        token = request.auth
        if not isinstance(token, ApiToken) or token.scope not in view.scopes:
            return False
        return token.scope != TokenScope.READ or request.method in SAFE_METHODS


class TokenThrottle(SimpleRateThrottle):
    """Counts the requests of a token in the last minute; those without one are refused before, and not counted."""

    scope = "token"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """The counter of the token."""
        return f"api-{request.auth.secret_sha256}" if request.auth is not None else None
