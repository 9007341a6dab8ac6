"""The only source of random ids, seeds, orders and nonces, so that a test can compare two runs byte by byte."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from random import Random


def handle() -> uuid.UUID:
    """A random UUID for a URL or a form."""
    return uuid.uuid4()


def code(length: int = 10) -> str:
    """A random code of lower-case letters and digits without look-alikes."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(length))


def password() -> str:
    """A password that can be read aloud: four groups of four."""
    return "-".join(code(4) for _ in range(4))


def nonce() -> str:
    """A random token for one page."""
    return secrets.token_urlsafe(16)


def token() -> str:
    """A random token for a link that must not be guessed: 192 bits."""
    return secrets.token_urlsafe(24)


def seed() -> str:
    """A random seed, to be stored with what it decides."""
    return secrets.token_hex(8)


def number(*parts: object) -> int:
    """A deterministic number in [0, 2^63): a hash of the parts, the same on every machine."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def share(*parts: object) -> float:
    """A deterministic number in [0, 1)."""
    return number(*parts) / 2**63


def rng(*parts: object) -> Random:
    """A generator seeded with the parts."""
    return Random(number(*parts))
