"""Who calls: the person whose token the request bears. Cookies are not looked at, so a page can't call by accident."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from annotation import clock
from annotation.models import User
from qualification import api_tokens
from qualification.models import ApiToken


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
