"""Addresses of the API that do not exist."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.errors import NotFound
from frontend.api.base import ApiView
from qualification.models import TokenScope


class MissingView(ApiView):
    """404, in the form of the API's other refusals."""

    scopes = frozenset(TokenScope)
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Nothing is asked of who calls."""
        raise NotFound

    def get(self, request: Request, **kwargs: Any) -> Answer:
        """Never reached: it makes this method known."""
        raise NotFound

    post = put = patch = delete = get
