"""All frames there are, and how many of them, and how long ones, a client may send.

They carry nothing of what people write: the server sends `{"poke": "work"}`, `"partner"` or `"lobby"`, the client
`{"here": true}`, which comes back so that the page knows that the connection lives.
"""

from __future__ import annotations

import json

HERE = '{"here": true}'
FRAMES = {"here": HERE} | {kind: json.dumps({"poke": kind}) for kind in ("work", "partner", "lobby")}
"""All frames that the server ever sends."""
LONGEST_FRAME = 128
"""Bytes of a message of the client, in however many frames; uvicorn closes the socket before it reads more."""
AT_ONCE = 10
A_SECOND = 1.0
"""A client may send so many messages at once, and then so many a second; a page of ours sends one in five seconds."""


class Allowance:
    """How many messages a client may still send (a token bucket)."""

    def __init__(self, *, now: float) -> None:
        self._left, self._at = float(AT_ONCE), now

    def take(self, *, now: float) -> bool:
        """Whether one more is allowed now."""
        self._left = min(AT_ONCE, self._left + (now - self._at) * A_SECOND)
        self._at = now
        self._left -= 1
        return self._left >= 0
