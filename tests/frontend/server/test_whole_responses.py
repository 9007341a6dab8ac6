"""A response in many pieces crosses from its thread to the event loop once."""

from __future__ import annotations

import asyncio

import pytest
from a2wsgi import WSGIMiddleware

from frontend.server.wrappers import WholeResponses


class Pieces:
    """A response like that of a file, in small pieces."""

    def __init__(self, *pieces: bytes | Exception) -> None:
        self.pieces, self.closed = pieces, False

    def __call__(self, environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        return self

    def __iter__(self):
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    def close(self):
        self.closed = True


def _bodies(app) -> list[bytes]:
    """The pieces in which the event loop gets a response."""
    sent = []
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [], "http_version": "1.1"}

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message.get("body", b""))

    asyncio.run(WSGIMiddleware(app)(scope, receive, send))
    return [body for body in sent if body]


def test_the_pieces_of_a_response_are_joined():
    response = Pieces(*[b"x" * 4096] * 50)
    assert _bodies(WholeResponses(response)) == [b"x" * 4096 * 50]
    assert response.closed


def test_the_control_without_it_each_piece_is_handed_over():
    assert len(_bodies(Pieces(*[b"x" * 4096] * 50))) == 50


def test_a_response_that_fails_midway_is_closed():
    response = Pieces(b"x", ValueError())
    with pytest.raises(ValueError):
        WholeResponses(response)({}, lambda *args: None)
    assert response.closed
