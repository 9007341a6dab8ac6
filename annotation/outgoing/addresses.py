"""Where a call goes: the parts of a URL, and the addresses of its host, each of which has to be public; and why a call
was not made, or had no answer."""

from __future__ import annotations

import ipaddress
import queue
import re
import socket
import threading
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

from annotation.errors import Refused
from annotation.i18n import _


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


LONGEST_URL = 500
PORTS = {"https": 443, "http": 80}
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_NAME = re.compile(rf"(?=.{{4,253}}\Z)({_LABEL}\.)+[a-z]([a-z0-9-]{{0,61}}[a-z0-9])\Z")
"""A full name: with a dot, and no number at its end, so that no way of writing an IP address is one."""
_VISIBLE = re.compile(r"[!-\[\]-~]+\Z")
"""ASCII without spaces, control characters and the backslash, which readers of addresses understand differently."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Target:
    """Where a call goes. `target`: path and query, as in the first line of a request."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def allowed_as(self) -> str:
        """How the list of allowed hosts names it: with its port unless that is 443."""
        return host_name(self.host, self.port)


def host_name(host: str, port: int) -> str:
    """`hooks.example.org`, or `hooks.example.org:8443`."""
    return host if port == PORTS["https"] else f"{host}:{port}"


def host_of(text: str) -> str:
    """A host as an admin has typed it, in the form of the list. CallRefused (`address`) if it is no full name."""
    host, colon, port = text.strip().lower().rstrip("/").partition(":")
    if not _is_host(host) or (colon and not _is_port(port)):
        raise CallRefused(_("Write a host as in hooks.example.org, or with a port."), reason="address")
    return host_name(host, int(port) if colon else PORTS["https"])


def target_of(url: str) -> Target:
    """The parts of an address. CallRefused: `address` if it is none that can be called, `https` if it is of http."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _no_address() from None
    host = parts.hostname or ""
    is_plain = len(url) <= LONGEST_URL and _VISIBLE.match(url) and not (parts.fragment or "@" in parts.netloc)
    if not is_plain or parts.scheme not in PORTS or not _is_host(host) or port == 0:
        raise _no_address()
    if parts.scheme != "https" and not _may_call_itself():
        raise CallRefused(_("The address must begin with https://."), reason="https")
    query = f"?{parts.query}" if parts.query else ""
    return Target(parts.scheme, host, port or PORTS[parts.scheme], (parts.path or "/") + query)


def public_addresses(host: str, port: int, *, seconds: float) -> list[str]:
    """The addresses of a host, looked up once. CallRefused (`not_public`) if one of them is not public.

    CallFailed: `name` if there are none, `time` if that takes longer than so many seconds.
    """
    found = _looked_up(host, port, seconds=seconds)
    if not found:
        raise CallFailed("name", sent=False)
    if not all(map(may_be_called, found)):
        raise CallRefused(
            _("The host has an address in a private network, and the site calls none of those."), reason="not_public"
        )
    return found


def may_be_called(address: str) -> bool:
    """Whether it is public; the machine itself is let in where the settings say so, for tests."""
    found = _meant(ipaddress.ip_address(address.partition("%")[0]))
    if found.is_loopback:
        return _may_call_itself()
    # Multicast addresses count as global.
    return found.is_global and not (found.is_private or found.is_multicast or found.is_reserved or found.is_link_local)


def look_up(host: str, port: int) -> list[str]:
    """What the resolver says now; [] if it knows no such name."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(place[0]) for *_rest, place in found))


def _looked_up(host: str, port: int, *, seconds: float) -> list[str]:
    """A resolver can't be told how long it may take, so it is left behind in a thread."""
    answers: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
    threading.Thread(target=lambda: answers.put(look_up(host, port)), daemon=True).start()
    try:
        return answers.get(timeout=max(seconds, 0))
    except queue.Empty:
        raise CallFailed("time", sent=False) from None


def _meant(address: IPAddress) -> IPAddress:
    """The IPv4 address inside an IPv6 address that a gateway or the system would turn into it, else itself."""
    if not isinstance(address, ipaddress.IPv6Address):
        return address
    inside = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
    if address in _NAT64 or (int(address) >> 32 == 0 and int(address) > 1):  # the latter were "IPv4-compatible"
        inside = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return inside or address


def _is_host(host: str) -> bool:
    return bool(_NAME.match(host)) or (host == "localhost" and _may_call_itself())


def _is_port(port: str) -> bool:
    return port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) < 2**16


def _may_call_itself() -> bool:
    return bool(settings.GOLDFINCH_CALLS_ITSELF)


def _no_address() -> CallRefused:
    message = _("This is no address that can be called: https://, the full name of a host, and a path.")
    return CallRefused(message, reason="address")
