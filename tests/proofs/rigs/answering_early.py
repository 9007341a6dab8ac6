"""A wrong build, for a control: settings whose middleware responds before the transaction is committed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse

from frontend.settings import *  # noqa: F403
from frontend.settings import MIDDLEWARE as RIGHT

MIDDLEWARE = [*RIGHT, f"{__name__}.AnsweringEarly"]
SECONDS = 0.5
"""Seconds between the response and the COMMIT."""


class AnsweringEarly:
    """The view runs in a thread of its own, which hands over its response and commits a while later."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer: Future[HttpResponse] = Future()

        def run() -> None:
            try:
                with transaction.atomic():
                    answer.set_result(self.get_response(request))
                    threading.Event().wait(SECONDS)
            finally:
                connections.close_all()

        threading.Thread(target=run, daemon=True).start()
        return answer.result(60)
