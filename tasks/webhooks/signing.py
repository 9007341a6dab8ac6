"""Signatures as the specification of Standard Webhooks 1.0 has them (standardwebhooks.com): HMAC-SHA256, `v1`."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime

PREFIX = "whsec_"
BYTES = 32


def new_secret() -> str:
    """`whsec_` and BYTES random bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def signed_headers(message: str, body: bytes, *, keys: Sequence[str], at: datetime) -> dict[str, str]:
    """The headers of a call: the id of its message, the time of this try, and a signature with each of the secrets."""
    seconds = str(int(at.timestamp()))
    content = b".".join([message.encode(), seconds.encode(), body])
    signatures = (hmac.digest(_bytes_of(key), content, hashlib.sha256) for key in keys)
    return {
        "Content-Type": "application/json",
        "webhook-id": message,
        "webhook-timestamp": seconds,
        "webhook-signature": " ".join(f"v1,{base64.b64encode(one).decode()}" for one in signatures),
    }


def _bytes_of(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(PREFIX))
