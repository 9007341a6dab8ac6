"""The one source of handles, seeds, orders and nonces, so that two worlds can be compared byte by byte."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from random import Random


def handle() -> uuid.UUID:
    """A random 128-bit name for a URL or a form."""
    return uuid.uuid4()


def code(length: int = 10) -> str:
    """A random code of lower-case letters and digits without look-alikes."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(length))


def password() -> str:
    """A password that can be read aloud: four groups of four."""
    return "-".join(code(4) for _ in range(4))


def nonce() -> str:
    """A random text for one page."""
    return secrets.token_urlsafe(16)


def seed() -> str:
    """A seed to be kept with what it decides."""
    return secrets.token_hex(8)


def number(*parts: object) -> int:
    """A seeded number in [0, 2^63), the same for the same parts on every machine."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def share(*parts: object) -> float:
    """A seeded number in [0, 1)."""
    return number(*parts) / 2**63


def rng(*parts: object) -> Random:
    """A seeded generator."""
    return Random(number(*parts))
