"""CSV that a spreadsheet opens without running anything: the only place that writes CSV."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpResponse, StreamingHttpResponse

MARK = "\ufeff"
"""The byte order mark: without it, Excel takes UTF-8 for the encoding of the country."""
FORMULA = ("=", "+", "-", "@", "\N{MINUS SIGN}")
"""What a formula begins with, in the compatibility form of its first character (a full-width `＝` is `=`)."""
CONTROL = ("\t", "\r", "\n")
"""What a spreadsheet may skip at the beginning of a cell."""
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
SEPARATORS = re.compile(r"(?<=[;\t\r\n])")
"""After these, a new cell begins where the country's separator is a semicolon: quotes don't count there."""


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
    return StreamedTable(_parts(rows), content_type="text/csv; charset=utf-8", headers=headers)


def _next(parts: Iterator[bytes]) -> bytes | None:
    return next(parts, None)


def _parts(rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    yield MARK
    left = iter(rows)
    while part := list(islice(left, AT_ONCE)):
        yield _lines(part)


def response(rows: Iterable[Sequence[Any]], *, filename: str) -> HttpResponse:
    """A file to save with these rows, of which the first has the names of the columns."""
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return HttpResponse(written(rows), content_type="text/csv; charset=utf-8", headers=headers)


def written(rows: Iterable[Sequence[Any]]) -> str:
    """The rows as CSV with a byte order mark; texts that look like formulas get an apostrophe."""
    return MARK + _lines(rows)


def _lines(rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([harmless(cell) for cell in row] for row in rows)
    return out.getvalue()


def harmless(cell: Any) -> Any:
    """The cell as no spreadsheet takes it for a formula: a number as it is, anything else as text ("" for None)."""
    if isinstance(cell, int | float | Decimal):
        return cell
    text = "" if cell is None else str(cell)
    if NUMBER.fullmatch(text):
        return text
    first, *others = SEPARATORS.split(text)
    return "".join([_quoted(first, also=CONTROL), *(_quoted(part) for part in others)])


def _quoted(part: str, also: tuple[str, ...] = ()) -> str:
    begins = unicodedata.normalize("NFKC", _visible(part)[:1])
    return f"'{part}" if begins.startswith(FORMULA) or part.startswith(also) else part


def _visible(text: str) -> str:
    """The text from the first character that is no space and has a shape."""
    for place, character in enumerate(text):
        if unicodedata.category(character)[0] not in "ZC":
            return text[place:]
    return ""
