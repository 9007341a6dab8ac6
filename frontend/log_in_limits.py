"""How often passwords may be tried: failed log-ins are counted by name, by address, and by both.

The counters are in a cache that all processes share, and end with their time. A try is counted before its password is
verified, so that simultaneous ones can't exceed a limit, and taken back if the password is right.
"""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import caches
from django.utils.crypto import salted_hmac

from frontend.server.clients import network_of

CACHE = "log_ins"


@dataclass(frozen=True)
class Limit:
    """So many failed log-ins in so many minutes, counted from the first."""

    tries: int
    minutes: int


def count_try(name: str, address: str) -> Limit | None:
    """Count one try; the limit that it exceeds, or None. An address over its limit counts against no name."""
    for _kind, limit, key in _counters(name, address):
        if _add_one(key, limit) > limit.tries:
            return limit
    return None


def take_back(name: str, address: str) -> None:
    """The password was right: that try no longer counts, nor do earlier ones with this name from this address."""
    for kind, _limit, key in _counters(name, address):
        if kind == "name_at_address":
            caches[CACHE].delete(key)
        else:
            with contextlib.suppress(ValueError):  # its time is over
                caches[CACHE].decr(key)


def _counters(name: str, address: str) -> Iterator[tuple[str, Limit, str]]:
    """What is limited, the limit, and the key of its counter. Names are hashed: a password is often typed as a name."""
    network, person = network_of(address), unicodedata.normalize("NFKC", name).strip().casefold()
    limits = settings.LOG_IN_LIMITS
    for kind, subject in (("address", network), ("name_at_address", f"{network} {person}"), ("name", person)):
        digest = salted_hmac("goldfinch.log-ins", subject, algorithm="sha256").hexdigest()
        yield kind, Limit(*limits[kind]), f"log-in-{kind}-{digest}"


def _add_one(key: str, limit: Limit) -> int:
    caches[CACHE].add(key, 0, limit.minutes * 60)
    try:
        count = caches[CACHE].incr(key)
    except ValueError:  # its time was over between the two
        return 1
    if count == 1:  # Redis may have lost it in between, and then made one that would never end
        caches[CACHE].touch(key, limit.minutes * 60)
    return count
