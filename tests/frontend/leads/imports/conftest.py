"""A lead's browser, which uploads files as the page's script does."""

from __future__ import annotations

import zlib

import pytest
from django.test import Client
from django.urls import reverse

from annotation.imports import uploads

JSON = {"Accept": "application/json", "X-Requested-With": "fetch"}


class Browser(Client):
    """The browser of somebody who is signed in."""

    def __init__(self, user) -> None:
        super().__init__(SERVER_NAME="127.0.0.1")
        self.force_login(user)

    def begin(self, slug: str, name: str, data: bytes):
        """Ask for the upload of a file."""
        sent = {"name": name, "size": len(data), "beginning": zlib.crc32(data[: uploads.PART])}
        return self.post(reverse("begin_upload", args=[slug]), sent, headers=JSON)

    def part(self, url: str, data: bytes, start: int, end: int, *, checksum: int | None = None):
        """Send the bytes from `start` to `end`."""
        after = zlib.crc32(data[:end]) if checksum is None else checksum
        place = {"Upload-Offset": str(start), "Upload-Checksum": str(after)}
        kind = "application/octet-stream"
        return self.post(url, data[start:end], content_type=kind, headers=JSON | place)

    def upload(self, slug: str, name: str, data: bytes) -> str:
        """Upload a file; returns its uuid."""
        state = self.begin(slug, name, data).json()
        for start in range(0, len(data), uploads.PART):
            state = self.part(state["url"], data, start, min(start + uploads.PART, len(data))).json()
        assert state["received"] == len(data)
        return state["uuid"]

    def start(self, slug: str, **sent: str):
        """Import what was uploaded."""
        return self.post(reverse("start_import", args=[slug]), {"what": "items", "mode": "all"} | sent)


@pytest.fixture
def lead(nq, lena):
    return Browser(lena)
