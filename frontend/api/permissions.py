"""What a token may be used for, besides what its person may do: its scope, and its project."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from qualification.models import ApiToken, TokenScope


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
