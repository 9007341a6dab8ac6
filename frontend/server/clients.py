"""Where a request comes from, as far as limits are concerned, and what ends one that no view is called for."""

from __future__ import annotations

from http import HTTPStatus
from ipaddress import IPv6Address, ip_address


def network_of(address: str) -> str:
    """The address itself, or the /64 network of an IPv6 address, since one subscriber has all of that."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"


class Unreadable(Exception):
    """A request refused before it reaches a view; `status` says why."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class Disconnected(Exception):
    """The client disconnected before its request was complete."""
