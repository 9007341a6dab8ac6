"""What the gateway raises for a request that no view is called for."""

from __future__ import annotations

from http import HTTPStatus


class Unreadable(Exception):
    """A request refused before it reaches a view; `status` says why."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class Disconnected(Exception):
    """The client disconnected before its request was complete."""
