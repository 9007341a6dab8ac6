"""Limits on the head of a request (request line and headers), applied where its bytes arrive.

With httptools, uvicorn has none, and httptools keeps an unfinished header in memory, so the gateway would notice a head
of 300 MB only once it is there.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

LONGEST_HEAD = 64 * 1024
"""Bytes of a request line and its headers together; also of the trailers after a chunked body."""
LONGEST_ADDRESS = 32 * 1024
"""Bytes of an address with its query. The longest of ours carries a pasted quote of 2,000 letters, 18 KB if encoded."""
MOST_HEADERS = 100
SLICE = 16 * 1024
"""Bytes fed to the parser at a time: a head can exceed its limit by no more before this is noticed."""
HEAD_SECONDS = 20
"""Seconds in which a head must be complete, as a body must (`Gateway.patience`)."""
DRAIN_SECONDS = 5
"""Seconds for which the rest of a refused request is read and dropped: who still sends doesn't read the response."""


class TooLarge(Exception):
    """A head over one of the limits; `status` says which."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class LimitedHeads(HttpToolsProtocol):
    """uvicorn's protocol for one connection; a head that is too large is answered with 414 or 431 and never kept."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unfinished = 0
        self._progress = False
        self._refusal: TooLarge | None = None
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Start to wait for the first head."""
        super().connection_made(transport)
        self._set_deadline(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._cancel_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser, and count the bytes since it last finished a head, a chunk or a part of a body."""
        for start in range(0, len(data), SLICE):
            if self._refusal or self.transport.is_closing() or self not in self.connections:  # closed or upgraded
                return
            piece, self._progress = data[start : start + SLICE], False
            super().data_received(piece)
            self._unfinished = 0 if self._progress else self._unfinished + len(piece)
            if self._refusal is None and (refusal := self._too_large()):
                self._refuse(refusal)
        if not self._unfinished:
            self._cancel_deadline()
        elif self._deadline is None:
            self._set_deadline(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        """Serve the request, unless its head is too large."""
        if refusal := self._too_large():
            self._refuse(refusal)
            raise refusal  # stops the parser
        self._progress = True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Part of a body."""
        self._progress = True
        super().on_body(body)

    def on_chunk_header(self) -> None:
        """The length of the next chunk."""
        self._progress = True

    def on_message_complete(self) -> None:
        """The end of a body and its trailers."""
        self._progress = True
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Respond to what the parser can't read, unless it was stopped by a refusal of ours."""
        if self._refusal is None:
            super().send_400_response(msg)

    def _too_large(self) -> TooLarge | None:
        if len(getattr(self, "url", b"")) > LONGEST_ADDRESS:
            return TooLarge(HTTPStatus.REQUEST_URI_TOO_LONG, _("This address is too long."))
        if self._unfinished > LONGEST_HEAD or len(self.headers or ()) > MOST_HEADERS:
            return TooLarge(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, _("The headers of this request are too large."))
        return None

    def _refuse(self, refusal: TooLarge) -> None:
        """Respond, and drop whatever else arrives; in the middle of an earlier response only close the connection."""
        self._refusal, self.url, self.headers = refusal, b"", []
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.close()
            return
        text = str(refusal).encode()
        head = b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(text)
        self.transport.write(STATUS_LINE[refusal.status] + head + text)
        self.transport.write_eof()
        self._cancel_deadline()
        self._set_deadline(DRAIN_SECONDS)

    def _set_deadline(self, seconds: float) -> None:
        self._deadline = self.loop.call_later(seconds, self.transport.close)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
