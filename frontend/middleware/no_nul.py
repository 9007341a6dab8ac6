"""Takes NUL characters out of addresses' queries and forms: PostgreSQL can't store them, and nobody means one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict

NUL = "\0"


class NoNulMiddleware:
    """After the CSRF check, which reads the form too; before any view."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view_and_arguments: Any) -> None:
        """Only for addresses that exist; other bodies are not read."""
        if _has_nul(request.GET):
            request.GET = _without_nul(request.GET)  # type: ignore[assignment]  # as Django does, whose stubs say it is immutable
        if request.method == "POST" and _has_nul(request.POST):
            request.POST = _without_nul(request.POST)  # type: ignore[assignment]  # as Django does, whose stubs say it is immutable


def _has_nul(query: QueryDict) -> bool:
    return any(NUL in value for _name, values in query.lists() for value in values)


def _without_nul(query: QueryDict) -> QueryDict:
    found = QueryDict(mutable=True)
    for name, values in query.lists():
        found.setlist(name, [value.replace(NUL, "") for value in values])
    return QueryDict(found.urlencode())  # this one is immutable, as Django's is
