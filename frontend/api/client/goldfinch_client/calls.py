"""One call of the API: sent again while that is safe, and what a refusal says."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

ATTEMPTS, LONGEST_WAIT, CHUNK = 6, 60.0, 1 << 20
"""How often a call is sent at most, for how many seconds it waits in between at most, and bytes of a download."""
AGAIN = frozenset({429, 502, 503, 504})


class Refused(Exception):
    """The site has refused a call: `kind` is a stable code, `errors` what is wrong with each field.

    `now`: of a refused answer or draft, how the work is now.
    """

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.kind: str = problem.get("type", "")
        self.title: str = problem.get("title", "")
        self.detail: str = problem.get("detail", "")
        self.errors: list[dict[str, str]] = problem.get("errors", [])
        self.now: dict[str, Any] = problem.get("now", {})
        super().__init__(f"{status} {self.kind}: {self.detail or self.title}")


class ApiCalls:
    """Sends calls with a token to the API of a site, below `url`/api/v1/."""

    def __init__(
        self, url: str, token: str, *, timeout: float = 60, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._base, self._token, self._timeout, self.pause = f"{url.rstrip('/')}/api/v1/", token, timeout, sleep

    def get(self, path: str, **query: Any) -> Any:
        """What GET answers. Parameters that are None are left out. Raises Refused."""
        return self._json("GET", _with_query(path, query))

    def send(self, method: str, path: str, body: Any = None, *, key: str = "", **headers: str) -> Any:
        """What another method answers to a JSON body, once: it has the key, or one of its own. Raises Refused."""
        sent = json.dumps(body if body is not None else {}).encode()
        return self.send_bytes(method, path, sent, "application/json", key=key, **headers)

    def send_bytes(self, method: str, path: str, sent: bytes, media_type: str, *, key: str = "", **headers: str) -> Any:
        """The same with bytes. In names of headers `_` stands for `-`."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        given = {"Content-Type": media_type, "Idempotency-Key": key or str(uuid.uuid4())} | named
        return self._json(method, path, sent, given)

    def pages(self, path: str, **query: Any) -> Iterator[Any]:
        """The rows of all pages of a list."""
        cursor: str | None = None
        while True:
            page = self.get(path, cursor=cursor, **query)
            yield from page["results"]
            cursor = page["next"]
            if cursor is None:
                return

    def download(self, path: str, to: Path) -> Path:
        """Write a file of the site to `to`, which is there only once it is whole."""
        part = to.with_name(to.name + ".part")
        with self._answer("GET", path) as answer, part.open("wb") as file:
            while chunk := answer.read(CHUNK):
                file.write(chunk)
        return part.replace(to)

    def _json(self, method: str, path: str, sent: bytes | None = None, headers: Mapping[str, str] | None = None) -> Any:
        with self._answer(method, path, sent, headers) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def _answer(
        self, method: str, path: str, sent: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> IO[bytes]:
        """The answer to a call; sent again where the site asks for that, or the connection was lost."""
        given = {"Authorization": f"Bearer {self._token}", "Accept": "*/*"} | dict(headers or {})
        asked = Request(self._base + path, data=sent, method=method, headers=given)  # noqa: S310 -- the caller's site
        for attempt in range(1, ATTEMPTS + 1):
            wait = min(LONGEST_WAIT, 2.0**attempt / 4)
            try:
                answer: IO[bytes] = urlopen(asked, timeout=self._timeout)  # noqa: S310
                return answer
            except HTTPError as refused:
                if refused.code not in AGAIN or attempt == ATTEMPTS:
                    raise Refused(refused.code, _problem_of(refused)) from None
                wait = _seconds_in(refused.headers.get("Retry-After", ""), wait)
            except (URLError, HTTPException, ConnectionError, TimeoutError):
                if attempt == ATTEMPTS:
                    raise
            self.pause(wait)
        raise AssertionError("the last attempt returns or raises")


def _with_query(path: str, query: Mapping[str, Any]) -> str:
    given = {name: _as_text(value) for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _problem_of(refused: HTTPError) -> Mapping[str, Any]:
    try:
        found = json.loads(refused.read())
    except ValueError:
        return {"title": refused.reason}
    return found if isinstance(found, dict) else {}


def _seconds_in(text: str, otherwise: float) -> float:
    return min(LONGEST_WAIT, float(text)) if text.isascii() and text.isdigit() else otherwise
