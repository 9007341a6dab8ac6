"""X-Sendfile for releases and refused lines: a view names the file in a header.

The gateway (or nginx) sends it without a thread.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote, unquote

from django.http import HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import content_disposition_header

from annotation.imports import refused_lines
from annotation.storage import files

HEADER = "X-Goldfinch-Send"
"""Internal response header, stripped before the client: the percent-encoded path of a file below `folder()`, or, with
a slash before it, below `others()`, which nginx doesn't know."""
RIGHT = "X-Goldfinch-Right"
"""Internal response header, stripped too: what the gateway asks about while it sends the file."""
CHUNK = 64 * 1024
"""Bytes per send; the gateway's `patience` applies to each chunk."""

Headers = list[tuple[bytes, bytes]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class RangeNotInFile(Exception):
    """The client asked for bytes that the file doesn't have."""


def folder() -> Path:
    """The folder of releases; nothing outside it and `others()` can be sent."""
    return files.shared("releases")


def others() -> Path:
    """The folder of refused lines of imports."""
    return refused_lines.folder()


def file_response(path: Path, *, filename: str, content_type: str, right: str = "") -> HttpResponse:
    """A response that the gateway turns into the file at `path`, a download called `filename`.

    `right`: it stops sending once its `may_go_on` says no to this. Caches may keep it only for the same person, and
    must ask us each time whether they may still have it.
    """
    response = HttpResponse(content_type=content_type)
    patch_cache_control(response, private=True, no_cache=True)
    response[HEADER] = quote(_name_of(path.resolve()))
    if right:
        response[RIGHT] = right
    response["Content-Disposition"] = content_disposition_header(True, filename)
    return response


def _name_of(path: Path) -> str:
    root = others().resolve()
    if path.is_relative_to(root):
        return f"/{path.relative_to(root).as_posix()}"
    return path.relative_to(folder().resolve()).as_posix()


@dataclass
class FileAnswer:
    """An open file, the requested part of it ([start, end) in bytes), and the status and headers of the response."""

    file: BinaryIO
    status: int
    headers: Headers
    start: int
    end: int

    @classmethod
    def open_named(cls, name: str, status: int, headers: Headers, request: Headers) -> FileAnswer:
        """Open the file that a view's response named. A multipart range gets the whole file, as RFC 9110 14.2 allows.

        `OSError` if there is no such file below its folder.
        """
        root = (others() if name.startswith("/") else folder()).resolve()
        path = (root / unquote(name).removeprefix("/")).resolve()
        if not path.is_relative_to(root):
            raise PermissionError(f"{path} is not in {root}")
        facts = path.stat()
        kept = [(key, value) for key, value in headers if key not in (b"content-length", b"accept-ranges")]
        if not any(key == b"etag" for key, _value in kept):
            kept.append((b"etag", f'"{facts.st_mtime_ns:x}-{facts.st_size:x}"'.encode()))
        kept.append((b"last-modified", formatdate(facts.st_mtime, usegmt=True).encode()))
        kept.append((b"accept-ranges", b"bytes"))
        start, end = 0, facts.st_size
        if status == HTTPStatus.OK:
            try:
                part = _part(dict(request), kept, facts.st_size)
            except RangeNotInFile:
                status, end = HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, 0
                kept.append((b"content-range", f"bytes */{facts.st_size}".encode()))
            else:
                if part is not None:
                    status, (start, end) = HTTPStatus.PARTIAL_CONTENT, part
                    kept.append((b"content-range", f"bytes {start}-{end - 1}/{facts.st_size}".encode()))
        kept.append((b"content-length", str(end - start).encode()))
        return cls(path.open("rb"), status, kept, start, end)

    async def deliver(self, send: Send, *, head: bool, gone: asyncio.Task[Any]) -> None:
        """Send the part in chunks; stop when `gone` is done, as uvicorn silently discards data after a disconnect."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        self.file.seek(self.start)
        left = 0 if head else self.end - self.start
        while left and not gone.done():
            chunk = await asyncio.to_thread(self.file.read, min(CHUNK, left))
            if not chunk:
                raise EOFError("a file became shorter while it was sent")
            left -= len(chunk)
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def wanted_range(header: str, size: int) -> tuple[int, int] | None:
    """The bytes [start, end) that a `Range` header asks for, or None unless it asks for a single range.

    None too for a number of more than 18 digits: Python refuses to read one of thousands.
    """
    found = re.fullmatch(r"\s*bytes\s*=\s*(\d{0,18})-(\d{0,18})\s*", header)
    if found is None or not any(found.groups()):
        return None
    first, last = found.groups()
    if not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(int(last) + 1 if last else size, size)
        if last and int(last) < int(first):
            return None
    if start >= size or start >= end:
        raise RangeNotInFile(header)
    return start, end


def _part(request: dict[bytes, bytes], headers: Headers, size: int) -> tuple[int, int] | None:
    """The requested range; with `If-Range`, only if the file is still the one that the client began with."""
    condition = request.get(b"if-range")
    if condition is not None and condition not in [
        value for key, value in headers if key in (b"etag", b"last-modified")
    ]:
        return None
    return wanted_range(request.get(b"range", b"").decode("latin1"), size)
