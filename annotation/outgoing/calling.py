"""One call to an allowed host, over a connection to an address that was checked, and with an end.

The hosts that the site may call are none, until an admin allows one.
"""

from __future__ import annotations

import io
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from http import client
from typing import Any

from django.db import transaction

from annotation import events
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import AllowedHost, User
from annotation.outgoing.addresses import CallFailed, CallRefused, Target, host_of, public_addresses, target_of

ALLOWED, REMOVED = "host.allowed", "host.removed"
LONGEST_PURPOSE = 200


@transaction.atomic
def allow_host(text: str, *, purpose: str, by: User, now: datetime) -> AllowedHost:
    """Let the site call a host, named as in `host_of`. CallRefused if it is no host; WrongMove if it is on the list."""
    name = host_of(text)
    row, is_new = AllowedHost.objects.get_or_create(
        name=name, defaults={"purpose": purpose.strip()[:LONGEST_PURPOSE], "by": by, "at": now}
    )
    if not is_new:
        raise WrongMove(_("This host is allowed already."))
    events.record(ALLOWED, row, by=by, now=now, name=name, purpose=row.purpose)
    return row


@transaction.atomic
def remove_host(row: AllowedHost, *, by: User, now: datetime) -> None:
    """Calls to it are refused from now on. WrongMove if somebody else was faster."""
    if not AllowedHost.objects.filter(pk=row.pk).delete()[0]:
        raise WrongMove(_("This host is not allowed any more."))
    events.record(REMOVED, row, by=by, now=now, name=row.name)


def is_allowed(name: str) -> bool:
    """Whether the list has it, named as `Target.allowed_as` does."""
    return AllowedHost.objects.filter(name=name).exists()


SECONDS = 5.0
"""From looking the name up to the last byte of the answer."""
LONGEST_ANSWER = 2**20
"""Bytes, with its headers."""


@dataclass(frozen=True)
class OutgoingReply:
    """An answer, whatever its status is: a redirect is an answer, too. The names of `headers` are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_good(self) -> bool:
        """Whether the other side says that it has done what it was asked."""
        return 200 <= self.status < 300


def call(
    method: str, url: str, *, body: bytes = b"", headers: Mapping[str, str], seconds: float = SECONDS
) -> OutgoingReply:
    """Send one request and return the answer to it; no redirect is followed, and no proxy is used.

    CallRefused for an address that is none, is not of https, whose host no admin has allowed, or which leads to a
    network that is not public. CallFailed if there is no whole answer of at most LONGEST_ANSWER bytes in `seconds`.
    """
    target = checked_target(url)
    connection = _CheckedConnection(target, seconds=seconds)
    try:
        with _failing(connection):
            connection.request(method, target.target, body=body, headers={"User-Agent": "Goldfinch", **headers})
            answer = connection.getresponse()
            named = {name.lower(): value for name, value in answer.getheaders()}
            return OutgoingReply(answer.status, named, answer.read())
    finally:
        connection.hang_up()


def checked_target(url: str) -> Target:
    """The parts of an address that may be called, as far as can be said without looking its name up. CallRefused."""
    target = target_of(url)
    if not is_allowed(target.allowed_as):
        raise CallRefused(_("No admin of this site has allowed calls to this host."), reason="not_allowed")
    return target


class _CheckedConnection(client.HTTPConnection):
    """Connects to an address that was checked, under the name of the host: what the name means later is never asked."""

    sock: Any

    def __init__(self, target: Target, *, seconds: float) -> None:
        super().__init__(target.host, target.port)
        # The header Host names no port that the scheme implies.
        self.default_port = 443 if target.scheme == "https" else 80
        self._is_secure = target.scheme == "https"
        self._end = time.monotonic() + seconds
        self._plain: socket.socket | None = None
        self.may_have_arrived = False

    def hang_up(self) -> None:
        """End the connection, in which nothing is asked any more."""
        self.close()
        if self._plain is not None:
            self._plain.close()

    def connect(self) -> None:
        addresses = public_addresses(self.host, self.port, seconds=self._end - time.monotonic())
        self._plain = self._first_connection(addresses)
        if self._is_secure:
            self._plain.settimeout(_left(self._end))
            self._plain = ssl.create_default_context().wrap_socket(self._plain, server_hostname=self.host)
        self.sock = _TimedSocket(self._plain, self._end)
        self.may_have_arrived = True

    def _first_connection(self, addresses: list[str]) -> socket.socket:
        """A connection to the first of them that takes it."""
        for address in addresses:
            try:
                return socket.create_connection((address, self.port), timeout=_left(self._end))
            except TimeoutError:
                raise
            except OSError:
                continue
        raise CallFailed("connection", sent=False)


class _TimedSocket:
    """What http.client needs of a socket; every wait ends with the call as a whole, however slowly bytes come in."""

    def __init__(self, plain: socket.socket, end: float) -> None:
        self._plain = plain
        self._end = end

    def sendall(self, data: Any) -> None:
        self._plain.settimeout(_left(self._end))
        self._plain.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Incoming(self._plain, self._end))

    def close(self) -> None:
        """Nothing: http.client closes it once it has read the headers, and what follows is still to be read."""


class _Incoming(io.RawIOBase):
    """The bytes of an answer, until the end of the time and of LONGEST_ANSWER."""

    def __init__(self, plain: socket.socket, end: float) -> None:
        self._plain = plain
        self._end = end
        self._received = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._plain.settimeout(_left(self._end))
        n = self._plain.recv_into(buffer)
        self._received += n
        if self._received > LONGEST_ANSWER:
            raise CallFailed("size", sent=True)
        return n


def _left(end: float) -> float:
    """The seconds that are left. A timeout of 0 would mean that nothing waits, and fail with another error."""
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


@contextmanager
def _failing(connection: _CheckedConnection) -> Iterator[None]:
    """Turn what sockets, TLS and http.client raise into CallFailed."""
    try:
        yield
    except (CallRefused, CallFailed):
        raise
    except TimeoutError:
        raise CallFailed("time", sent=connection.may_have_arrived) from None
    except ssl.SSLError:
        reason = "broken" if connection.may_have_arrived else "certificate"
        raise CallFailed(reason, sent=connection.may_have_arrived) from None
    except (OSError, client.HTTPException, ValueError):
        # ValueError: a header that can't be read, or a target or header of ours that http.client does not send.
        raise CallFailed("broken", sent=connection.may_have_arrived) from None
