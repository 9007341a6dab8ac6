"""A person's authenticator app (RFC 6238), which needs no Django."""

from __future__ import annotations

import base64
import hmac
import struct
import time

PERIOD = 30
"""Seconds for which a code is valid."""


def code(key: str) -> str:
    """What the app shows now."""
    counter = struct.pack(">Q", int(time.time()) // PERIOD)
    digest = hmac.digest(base64.b32decode(key), counter, "sha1")
    [number] = struct.unpack_from(">I", digest, digest[-1] & 0xF)
    return f"{(number & 0x7FFFFFFF) % 10**6:06}"
