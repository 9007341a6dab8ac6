"""While a site has no account, every address shows the page that makes the first one."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from frontend.accounts import first_run


class FirstRunMiddleware:
    """Routes requests to frontend/views/accounts/first_run.py until there is an account; then it costs a `stat`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if first_run.is_open():
            request.urlconf = "frontend.views.accounts.first_run"
        return self.get_response(request)
