"""A crawler: everything one person can request from the site, every byte it sends, and sentinels in any encoding."""

from __future__ import annotations

import base64
import hashlib
import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import ResolverMatch, get_resolver, resolve, reverse
from django.urls.converters import IntConverter, UUIDConverter

from annotation import randomness
from frontend import image_urls
from frontend.work import signing_in
from tests.proving import SHARE

ENDING = frozenset({"skip", "give_back", "withdraw", "end_lost", "another_partner", "logout"}) | {
    *("api_work_skip", "api_work_return", "api_work_end", "api_work_another", "api_work_withdraw"),
    *("api_lobby", "api_alone"),
}
"""Routes whose POST ends the work or the session, or goes back a step: left to the player, and not crawled."""
API = "/api/"
HTMX = {"HX-Request": "true"}
NAMES_THE_WORK = frozenset({"home", "claim", "api_claim", "api_held_work"})
"""Routes without a work in their address that lead to the one that is held."""
GUESSED = "guessed"
"""A name that nothing has."""
OF_WORK = frozenset({"annotation", "step", "uuid"})
"""Parts of an address that name a piece of work; below a project, they name what leads have there."""
CLOSED = frozenset({404, 405}) if SHARE else frozenset({403, 404, 405})
"""What a page is refused with; `make prove` asks again what was forbidden."""
Way = tuple[str, str, str]
"""How something is asked: (route, method, "page", "fragment" for htmx, or "guess")."""
REFUSED: set[Way] = set()
"""What was refused with 405, or as CLOSED by a route without any work, wherever this process tried it in a look.

Most requests would only ask again whether the same decorator refuses the same method at yet another address, or while
the work is in another state.
"""


@dataclass(frozen=True)
class Exchange:
    """A request and every byte of its response: status, headers, cookies, body."""

    method: str
    path: str
    status: int
    sent: bytes

    def __str__(self) -> str:
        return f"{self.method} {self.path} ({self.status})"


class Recorder(Client):
    """A test client that keeps every response; `bytes_of` gives the bytes of one.

    `secret`: that of a token, which it sends to the API, where it posts JSON.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(SERVER_NAME="127.0.0.1", **kwargs)
        self.exchanges: list[Exchange] = []
        self.secret = ""

    def generic(self, method: str, path: str, data: Any = "", content_type: str = "", **how: Any) -> HttpResponse:
        if path.startswith(API):
            data, content_type = b"" if method in ("GET", "HEAD") else b"{}", "application/json"
        return super().generic(method, path, data, content_type or "application/octet-stream", **how)

    def request(self, **request: Any) -> HttpResponse:
        if self.secret and request["PATH_INFO"].startswith(API):
            request["HTTP_AUTHORIZATION"] = f"Bearer {self.secret}"
        response = super().request(**request)
        path = request["PATH_INFO"] + ("?" + request["QUERY_STRING"] if request.get("QUERY_STRING") else "")
        self.exchanges.append(Exchange(request["REQUEST_METHOD"], path, response.status_code, bytes_of(response)))
        return response

    def taken(self) -> list[Exchange]:
        """The exchanges since the last call."""
        found, self.exchanges = self.exchanges, []
        return found


def bytes_of(response: HttpResponse) -> bytes:
    """Status line, headers, cookies and body."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    head = "\n".join(f"{name}: {value}" for name, value in sorted(response.items()))
    return f"{response.status_code} {response.reason_phrase}\n{head}\n{response.cookies}\n\n".encode() + body


def addresses(names: dict[str, list[Any]], *, own: Any) -> Iterator[tuple[str, str, bool]]:
    """(route, path, guessed) of every route of the site with every combination of the names that the person can try.

    Only their own work is tried at `own_steps` too. Pictures after the first are tried only with the own work, at
    `step`; in `make prove` everywhere. Signed URLs get a valid signature, even if the site never issued them.
    Guessed: it names other people's work, or what does not exist. At each route every such name is tried once, and
    every step of other people's work with one of them, in turn; where a project is named too, which no work is, one of
    them stands for all. In `make prove` all are tried with all: views decide whose it is before they look at the rest.
    """
    others = [uuid for uuid in names["uuid"] if uuid != own]
    tried = [step for step in names["own_steps"] if step in names["step"]]
    every = min(len(others), len(tried))
    for route in get_resolver().url_patterns:
        parts = [part for part in route.pattern.converters if part != "token"]
        unknown = {part: [guess(kind)] for part, kind in route.pattern.converters.items() if part not in names}
        known = names | unknown
        tried_here: set[tuple[str, Any]] = set()
        for values in itertools.product(*(known["own_steps" if part == "step" else part] for part in parts)):
            named = dict(zip(parts, values, strict=True))
            if "step" in named and named.get("uuid") != own and named["step"] not in names["step"]:
                continue
            theirs = "step" in named and named.get("uuid", own) != own
            if theirs and not SHARE and (others.index(named["uuid"]) - tried.index(named["step"])) % every:
                continue
            guessed = GUESSED in values or bool(unknown.keys() & set(parts)) or named.get("uuid", own) != own
            if "step" in named and named.get("place") and not SHARE and (guessed or named["step"] not in names["step"]):
                continue
            whose = "their " if theirs else ""
            new = {(f"{whose}{part}" if part == "step" else part, each) for part, each in named.items()} - tried_here
            if "slug" in named and ("their uuid", "") in tried_here:
                new = {(part, each) for part, each in new if part != "uuid"}
            if guessed and not new and not SHARE:
                continue
            tried_here |= new | ({("their uuid", "")} if named.get("uuid", own) != own else set())
            if "token" in route.pattern.converters:
                sign = signing_in.signature if route.name == "signing_in" else image_urls.token
                named["token"] = sign(*(named[part] for part in parts if part in ("uuid", "step")))
            yield route.name, reverse(route.name, kwargs=named), guessed


def guess(converter: Any) -> Any:
    """A value for a part of an address that annotators know no value of."""
    if isinstance(converter, IntConverter):
        return 10**9
    return randomness.handle() if isinstance(converter, UUIDConverter) else GUESSED


def look_around(
    client: Client,
    names: dict[str, list[Any]],
    *,
    own: Any,
    words: list[str],
    but: frozenset[str] = ENDING,
    guesses: bool = True,
    pages: bool = True,
    posts: bool = True,
    refused: set[Way],
) -> None:
    """Request every URL by every method, with and without htmx, and every word found in the person's own page.

    `but`: routes to which nothing is posted. Steps that are tried with the own work alone get only GET and POST. To
    what is guessed, a GET goes without htmx and a POST with it: views decide who may see it before they look at either.

    With `guesses` the look is complete. Without, it leaves out what is guessed, and of an address that is not found it
    asks neither the fragment nor the words: whether a step may be seen is decided before either matters. Only
    `make prove` then asks by other methods than GET and POST. Without `pages` it leaves out those that are about no
    work, but for home. Without `posts` it asks each address for its page alone.
    `refused`: as REFUSED. What is in it is not asked again; at a route without any work, where its page is refused
    again. A look adds what it has learnt of methods, a complete one also what was not found. Within a look too, only
    `make prove` asks a route at a further address for a method that it has refused with 405: its decorator did; and
    only it asks the API as htmx does, which makes no difference there.
    """
    further = set(names["own_steps"]) - set(names["step"])
    answered: dict[Way, set[int]] = defaultdict(set)
    of_work: set[str] = set()

    def ask(method: str, kind: str = "page", **kwargs: Any) -> bool:
        """Whether more is to be asked in this way."""
        way = (route, method, kind)
        if way in refused and (route in of_work or closed):
            return False
        if not SHARE and (answered[way] == {405} or (kind == "fragment" and path.startswith(API))):
            return False
        if kind == "fragment" or (guessed and method == "post"):
            kwargs["headers"] = HTMX
        status = getattr(client, method)(path, **kwargs).status_code
        answered[way].add(status)
        return status != 405 and (guesses or status != 404)

    for route, path, guessed in addresses(names, own=own):
        parts, closed = resolved(path).kwargs, guessed
        of_work |= {route} if OF_WORK.intersection(parts) and "slug" not in parts else set()
        if not (pages or route in of_work or route in NAMES_THE_WORK):
            continue
        if guessed:
            if guesses:
                ask("get", "guess")
            if guesses and route not in but:
                ask("post", "guess")
            continue
        found = ask("get")
        closed = answered[route, "get", "page"] <= CLOSED
        if not posts:
            continue
        found = found and ask("get", "fragment")
        whole = guesses or bool(SHARE)
        if whole and (str(own) in path or "work" not in path) and parts.get("step") not in further:
            for method in ("head", "options", "put", "delete"):
                ask(method)
        if route not in but and ask("post"):
            ask("post", "fragment")
        if route == "find_quote" and found and str(own) in path:
            for word in words:
                ask("get", data={"text": word})
    for way, statuses in answered.items():
        if statuses <= {405} or (guesses and way[0] not in of_work and statuses <= CLOSED):
            refused.add(way)


def place_of(exchange: Exchange) -> tuple[str, dict[str, Any]]:
    """The route of an exchange and the arguments in its URL."""
    match = resolved(exchange.path.split("?")[0])
    return match.url_name or "", match.kwargs


@lru_cache(maxsize=8192)
def resolved(path: str) -> ResolverMatch:
    """The route of a path: looks ask the same paths by many methods."""
    return resolve(path)


def occurs(sentinel: str, sent: bytes, folded: bytes | None = None) -> bool:
    """Whether the bytes contain the word: plainly, in another case, escaped, encoded, reversed or hashed.

    `folded`: the bytes in lower case, if the caller has them.
    """
    lower, exact = guises(sentinel)
    folded = sent.lower() if folded is None else folded
    return any(guise in folded for guise in lower) or any(guise in sent for guise in exact)


@lru_cache(maxsize=1024)
def guises(sentinel: str) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """The encodings of a word: those to compare in lower case, and the case-sensitive ones."""
    raw = sentinel.encode()
    lower = [
        sentinel,
        sentinel[::-1],
        "".join(f"%{byte:02x}" for byte in raw),
        "".join(f"&#{byte};" for byte in raw),
        "".join(f"&#x{byte:x};" for byte in raw),
        "".join(f"\\u{byte:04x}" for byte in raw),
        raw.hex(),
        *(hashlib.new(kind, raw).hexdigest() for kind in ("md5", "sha1", "sha256")),
    ]
    # Base64 in the three alignments: the characters that do not depend on what comes before or after.
    cores = [
        base64.b64encode(b"\0" * before + raw)[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6]
        for before in range(3)
    ]
    return tuple(guise.lower().encode() for guise in lower), tuple(cores)
