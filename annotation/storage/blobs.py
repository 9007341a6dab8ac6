"""Documents and layouts by their sha-256, from the table of blobs; those used last stay in memory."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import CharField

from annotation.db.compiled import Param, Prepared
from annotation.documents.layout import PAGES, SIMPLIFIED, Layout
from annotation.models import Blob

if TYPE_CHECKING:
    from annotation.html import Rendering

COMPRESSION = 1
"""zlib's level: on pages, 6 saves another eighth of the bytes and takes three times as long."""


AHEAD = 128
"""Blobs of a series that are read at once: a page has up to some hundred kilobytes, compressed."""
_DATA = Prepared(lambda: Blob.objects.filter(sha256=Param("sha256", CharField())).values_list("data", flat=True))


class Missing(LookupError):
    """There is no blob with this sha-256."""


class Packed(NamedTuple):
    """A blob that may have to be inserted: the sha-256 of its bytes, and those, compressed."""

    sha256: str
    data: bytes


def pack(data: bytes) -> Packed:
    """Compress a document or a layout."""
    return Packed(hashlib.sha256(data).hexdigest(), zlib.compress(data, COMPRESSION))


def insert(blobs: Iterable[Packed]) -> None:
    """Insert those that are not there yet, in the transaction of the rows that refer to them."""
    rows = sorted(set(blobs))  # in one order, or two imports could wait for each other
    Blob.objects.bulk_create([Blob(sha256, data) for sha256, data in rows], ignore_conflicts=True)


def read(sha256: str) -> bytes:
    """The bytes with this sha-256. Raises Missing."""
    for data in _DATA(sha256=sha256):
        return zlib.decompress(data)
    raise _missing(sha256)


def _missing(sha256: str) -> Missing:
    return Missing(f"There is no document or layout {sha256} in the database.")


class Series:
    """Blobs that are read one after another, as by an export: each query gets the next `AHEAD` of them.

    They stay compressed until they are read.
    """

    def __init__(self, names: Iterable[str], *, using: str) -> None:
        self._names = list(dict.fromkeys(names))
        self._places = {name: place for place, name in enumerate(self._names)}
        self._kept: dict[str, bytes | memoryview] = {}
        self._rows = Blob.objects.using(using).values_list("sha256", "data")

    def read(self, sha256: str) -> bytes:
        """The bytes of one of them. Raises Missing."""
        if sha256 not in self._kept:
            place = self._places[sha256]
            self._kept = dict(self._rows.filter(sha256__any_of=set(self._names[place : place + AHEAD])))
        if sha256 not in self._kept:
            raise _missing(sha256)
        return zlib.decompress(self._kept[sha256])

    @cached_property
    def layout(self) -> Callable[[str], Layout]:
        """Read one of them as a layout; those used last stay in memory."""
        return lru_cache(maxsize=32)(lambda sha256: Layout.from_bytes(self.read(sha256)))


@lru_cache(maxsize=32)
def layout(sha256: str) -> Layout:
    """The layout with this hash. Raises Missing."""
    return Layout.from_bytes(read(sha256))


@lru_cache(maxsize=64)
def rendering(document: str, layout_sha256: str, media_type: str, root: int | None = None) -> Rendering:
    """The display form of a page or of one of its boxes. ValueError if the document is not a page."""
    if media_type not in PAGES:
        raise ValueError(f"A document of type {media_type} is not a page, so it has no rendering.")
    return rendering_of(read(document), layout(layout_sha256), media_type, root)


def rendering_of(page: bytes, structure: Layout, media_type: str, root: int | None = None) -> Rendering:
    """The same from the bytes of a page and its layout."""
    from annotation import html

    if media_type == SIMPLIFIED:
        page, structure = html.synthesise([token.text for token in structure.tokens], structure.candidates)
    return html.render(page, structure, root=root)
