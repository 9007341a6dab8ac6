"""Fault injection: a middleware that kills the server after an answer was written and before it is sent.

It dies at the first POST to a stage while the file `DIES` is in the data folder.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse

DIES = "dies-at-the-next-answer"


class DyingLate:
    """The outermost middleware, so that everything is done except sending the response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        place, found = settings.GOLDFINCH_DATA / DIES, request.resolver_match
        if request.method == "POST" and found is not None and found.url_name == "stage" and place.exists():
            assert not connection.in_atomic_block
            place.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return response
