"""Tables as files to save, which a spreadsheet opens without running anything (`annotation.parsing.csv_cells`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpResponse, StreamingHttpResponse

from annotation.parsing import csv_cells

MARK = csv_cells.MARK.decode()
KIND = f"{csv_cells.MEDIA_TYPE}; charset=utf-8"
AT_ONCE = 200
"""Rows that are sent together."""


class StreamedTable(StreamingHttpResponse):
    """A long table, of which each part is made when the one before it was sent; see `streamed`."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The parts, each made in a thread: by itself, Django makes all of them before it sends the first."""
        parts = iter(self)
        while (part := await sync_to_async(_next)(parts)) is not None:
            yield part


def streamed(rows: Iterable[Sequence[Any]], *, filename: str) -> StreamedTable:
    """The same as `response`, for any number of rows, which are read while it is sent."""
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return StreamedTable(_parts(rows), content_type=KIND, headers=headers)


def _next(parts: Iterator[bytes]) -> bytes | None:
    return next(parts, None)


def _parts(rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    yield MARK
    left = iter(rows)
    while part := list(islice(left, AT_ONCE)):
        yield csv_cells.lines(part)


def response(rows: Iterable[Sequence[Any]], *, filename: str) -> HttpResponse:
    """A file to save with these rows, of which the first has the names of the columns."""
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return HttpResponse(written(rows), content_type=KIND, headers=headers)


def written(rows: Iterable[Sequence[Any]]) -> str:
    """The rows as CSV with a byte order mark; texts that look like formulas get an apostrophe."""
    return MARK + csv_cells.lines(rows)
