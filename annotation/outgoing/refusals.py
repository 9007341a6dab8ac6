"""Why a call was not made, or had no answer."""

from __future__ import annotations

from annotation.errors import Refused


class CallRefused(Refused):
    """The site makes no such call. `reason`: `address`, `https`, `not_allowed` or `not_public`; nothing was sent."""

    reason = "call_refused"


class CallFailed(Exception):
    """There was no answer that can be used. `reason`: one of REASONS; `sent`: whether the request may have arrived."""

    REASONS = ("name", "connection", "certificate", "time", "size", "broken")

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.sent = sent
