"""Random requests to every URL of the site: real names and identifiers mixed with what parsers stumble over."""

from __future__ import annotations

import json
import re
import socket
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from random import Random
from urllib.parse import quote, urlencode

from django.urls import URLPattern, get_resolver

CSRF = "c" * 32
"""Django accepts any CSRF cookie of the right length that the header repeats."""
METHODS = [*("GET",) * 12, *("POST",) * 20, "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"]
VALUES = [
    *("", "0", "1", "-1", "1e999", "9" * 30, "NaN", "None", "null", "true", "[]", "{}", "''", "a" * 5000, "é" * 300),
    *("9999-12-31", "0001-01-01", "2026-02-30", "0000-00-00", "2026-11-20", "6fa459ea-ee8a-3ca4-894e-db77e160355e"),
    *("\0", "a\0b", "\r\n", "\u2028", "\ufeff", "\u202e", "\U0001f426", "%", "%s", "{}", "{{7*7}}", "../../x", "<b>"),
    *("bad", "good", "none", "box", "spans", "add", "take", "ambiguous", "page", "other", "-", "_", ".", "..", "/"),
    *('{"a": "\\ud800"}', '{"a": "\\u0000"}', '[{"n": 1, "lines": [[1, "in_sight", {"ms": 1e400}, ""]]}]', "[" * 3000),
    *('{"n": 1}', '[{"n": 99999999999999999999, "lines": []}]', '[{"n": 1, "at": -1, "lines": [[]]}]', '{"a": NaN}'),
    *("[[0, 5]]", '[{"start": 0, "end": 5}]', '[{"start": -1, "end": 99999999999999999999}]', '{"top": "x"}'),
]
BYTES = [quote(value) for value in VALUES] + ["%ff", "%ed%a0%80", "%c0%80", "%", "%zz", "%00", "%2f", "%2e%2e", "a;b"]
"""Values as they are put into addresses, some of which are no UTF-8."""
NAMES = (
    "submission_key seen client after base data seq trace view sent stage verdict reasons kind spans reason quote "
    "candidate item day minutes how note project text page of at q next username password report answer question "
    "evidence questions extractive free yes_no highlighted sentence words comment amend csrfmiddlewaretoken unsent "
    "what"
)
FIELDS = NAMES.split(" ")
TYPES = [
    *("application/x-www-form-urlencoded",) * 12,
    *("multipart/form-data; boundary=xx", "multipart/form-data", "multipart/form-data; boundary=" + "b" * 300),
    *("application/json", "text/plain", "", "x" * 20_000, "a/b; " * 3000, "a/b; boundary=\xe9", ";", "a/b; charset"),
    *(f"application/x-www-form-urlencoded; charset={name}" for name in ("hex", "idna", "punycode", "utf-16", "rot13")),
    *(f"multipart/form-data; boundary=xx; charset={name}" for name in ("hex", "undefined", "no-such", "utf-7")),
    *("a/b; charset*=idna''a", "application/x-www-form-urlencoded; charset*0=h; charset*1=ex"),
]
HEADERS = {
    "Accept-Language": ["de", "xx-" * 200, "\xe9", "*;q=nan", ",,,"],
    "Range": ["bytes=0-0", "bytes=9-", "bytes=-0", "bytes=a-b", "bytes=" + "9" * 5000 + "-", "lines=1-"],
    "If-None-Match": ["*", '"', 'W/"x"', '"' + "x" * 3000],
    "If-Modified-Since": ["Thu, 01 Jan 1970 00:00:00 GMT", "Mon, 99 Foo 99999 99:99:99 GMT", "\xe9"],
    "HX-Request": ["true", "\xe9"],
    "HX-Target": ["stage", "waiting", "\xe9"],
    "HX-Current-URL": ["http://[", "http://localhost/work/", "\xe9", "x" * 3000],
    "HX-Current-URL-URI-AutoEncoded": ["true"],
    "X-Requested-With": ["fetch"],
    "Referer": ["http://[", "https://example.org/", "\xe9"],
    "Origin": ["null", "http://[", "https://example.org"],
    "Host": ["localhost", "[::1", "a" * 300, "127.0.0.1:99999", "\xe9", "a,b"],
    "X-Forwarded-For": ["\xe9", "1.2.3.4, 5.6.7.8", "x" * 1000],
    "Accept-Encoding": ["gzip", "gzip;q=nan", "\xe9"],
    "Cookie": ["a", "=", ";;;", "messages=x", "csrftoken=\xe9", 'a="\\777"', "messages=" + "W1sic" * 100],
    "Transfer-Encoding": ["gzip"],
    "Expect": ["100-continue", "something"],
}
UNREAD = 8192
"""Bytes of a body that is sent with headers that the server closes the connection over, without reading on."""
WORK = re.compile(rb"/work/([0-9a-f-]{36})/")


@dataclass
class Fuzzer:
    """Sends seeded random requests as one person; `names` has real values for the parameters of URLs, by name.

    `failed` has every request that was answered with a 5xx, or not at all.
    """

    port: int
    session: str
    names: dict[str, list[str]]
    rng: Random
    statuses: Counter[int] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)

    def run(self, count: int) -> Fuzzer:
        """Send so many requests."""
        routes = [route for route in get_resolver().url_patterns if route.name != "logout" or not self.session]
        for _ in range(count):
            self._send(self.rng.choice(METHODS), self._address(self.rng.choice(routes)))
        return self

    def _address(self, route: URLPattern) -> str:
        address = "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: self._argument(found[1]), str(route.pattern))
        if self.rng.random() < 0.3:
            address += "?" + "&".join(
                f"{self.rng.choice(FIELDS)}={self.rng.choice(BYTES)}" for _ in range(self.rng.randint(1, 4))
            )
        return address

    def _argument(self, name: str) -> str:
        if self.rng.random() < 0.8:
            return self.rng.choice(self.names.get(name) or BYTES)
        others = [value for values in self.names.values() for value in values]
        return self.rng.choice([*BYTES, *others]) or "x"

    def _send(self, method: str, address: str) -> None:
        headers, body = self._headers(), b""
        if method in ("POST", "PUT", "PATCH"):
            headers["Content-Type"], body = self.rng.choice(TYPES), self._body()
        if "Transfer-Encoding" in headers:
            body = body[:UNREAD]
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        asked = f"{method} {address[:300]} {headers} {body[:300]!r}"
        try:
            connection.putrequest(method, address, skip_host="Host" in headers, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value.encode("latin1"))
            connection.putheader("Content-Length", str(len(body)))
            _send_whole(connection, body)
            response = connection.getresponse()
            content = response.read()
        except (OSError, HTTPException) as error:
            self.failed.append(f"{asked}: {error!r}")
            return
        finally:
            connection.close()
        self.statuses[response.status] += 1
        if response.status >= 500:
            self.failed.append(f"{asked}: {response.status}")
        if given := WORK.search(response.headers.get("Location", "").encode() or content):
            self.names["uuid"] = [*self.names["uuid"][-20:], given[1].decode()]

    def _headers(self) -> dict[str, str]:
        cookie = f"goldfinch_session={self.session}; csrftoken={CSRF}"
        headers = {"Cookie": cookie, "X-CSRFToken": CSRF}
        if self.rng.random() < 0.3:
            for name in self.rng.sample(sorted(HEADERS), self.rng.randint(1, 3)):
                value = self.rng.choice(HEADERS[name])
                headers[name] = f"{cookie}; {value}" if name == "Cookie" else value
        return headers

    def _body(self) -> bytes:
        fields = {self.rng.choice(FIELDS): self._value() for _ in range(self.rng.randint(0, 8))}
        how = self.rng.randrange(8)
        if how == 0:
            return self.rng.randbytes(self.rng.randrange(200))
        if how == 1:
            return json.dumps(fields).encode()
        if how == 2:
            parts = [
                f'--xx\r\nContent-Disposition: form-data; name="{name}"{self.rng.choice(("", "; filename=x"))}\r\n'
                f"Content-Type: {self.rng.choice(TYPES[-8:])}\r\n\r\n{value}\r\n"
                for name, value in fields.items()
            ]
            return "".join([*parts, self.rng.choice(("--xx--", "", "--xx"))]).encode()
        if how == 3:
            return "&".join(f"{name}={self.rng.choice(BYTES)}" for name in fields).encode()
        if how == 4:
            return urlencode([(f"field{number}", "") for number in range(1200)]).encode()
        return urlencode(fields).encode()

    def _value(self) -> str:
        real = [value for values in self.names.values() for value in values]
        return self.rng.choice([*VALUES, *real])


def _send_whole(connection: HTTPConnection, body: bytes) -> None:
    """End the headers and send them together with the body, as far as one segment holds both.

    A server that can't tell where a request ends answers 400 and closes (RFC 9112, 6.1). Were the body to arrive after
    that, the connection would be reset, and the answer lost before it is read.
    """
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
    connection.endheaders(body)
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)
