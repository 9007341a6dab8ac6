"""Check image files by their bytes: the allowed types, the size in pixels, and one set of limits for every protocol.

Headers are read and nothing is decoded. imagesize knows more formats than browsers may get from us, so it is asked only
about files whose first bytes are those of an allowed type.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import imagesize

if TYPE_CHECKING:
    from annotation.records import DocumentRecord

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_SEARCHED_FOR_SVG = 512 * 1024
"""Bytes of a file in which <svg is looked for, to give the right reason."""

BYTES_LIMIT = 4 * 1024 * 1024
PIXELS_LIMIT = 25_000_000
"""A browser needs four bytes for each of them, whatever the file weighs."""
FILES_LIMIT = 200
"""Image files that one document may name."""
BYTES_TOGETHER_LIMIT = 32 * 1024 * 1024
"""Bytes of all images of one document."""


class ImageRefused(Exception):
    """An image that is not imported; `reason` says why in a few words that fit into a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Size(NamedTuple):
    """Width and height in pixels, as a browser shows the image."""

    width: int
    height: int


UNKNOWN = Size(0, 0)


@dataclass
class Allowance:
    """What the images of one document may still bring in."""

    files: int = 0
    weight: int = 0

    def count_file(self) -> None:
        """Call it for each file before it is looked for; raises ImageRefused beyond FILES_LIMIT."""
        self.files += 1
        if self.files > FILES_LIMIT:
            raise ImageRefused(f"beyond the first {FILES_LIMIT} images")

    def check(self, data: bytes) -> tuple[str, Size]:
        """The type and the size of an image that may be shown; raises ImageRefused."""
        kind, size = check(data)
        if self.weight + len(data) > BYTES_TOGETHER_LIMIT:
            raise ImageRefused(f"beyond {BYTES_TOGETHER_LIMIT // 2**20} MB of images")
        self.weight += len(data)
        return kind, size


def check(data: bytes) -> tuple[str, Size]:
    """The type and the size of one image that may be shown; raises ImageRefused."""
    if len(data) > BYTES_LIMIT:
        raise ImageRefused(f"over {BYTES_LIMIT // 2**20} MB")
    kind = _media_type(data)
    if not kind:
        if b"<svg" in data[:_SEARCHED_FOR_SVG].lower():
            raise ImageRefused("an SVG drawing, which can hold script")
        raise ImageRefused("not a PNG, JPEG, GIF or WebP image")
    size = size_in(data)
    if size == UNKNOWN:
        raise ImageRefused("a broken image")
    if size.width * size.height > PIXELS_LIMIT:
        raise ImageRefused(f"over {PIXELS_LIMIT:,} pixels")
    return kind, size


def size_in(data: bytes) -> Size:
    """The size that an image's header states, turned as its EXIF orientation says; UNKNOWN where there is none."""
    if not _media_type(data):
        return UNKNOWN
    width, height = imagesize.get(io.BytesIO(data))
    # -1 where the header is broken; a GIF's 16 bits are read as signed, so above 32,767 they are negative too.
    return Size(width, height) if width > 0 and height > 0 else UNKNOWN


@lru_cache(maxsize=4096)
def size_of(document: DocumentRecord) -> Size:
    """The size of a stored image, read once in each process, so that a page keeps its place while images load."""
    try:
        return size_in(document.source)
    except OSError:
        return UNKNOWN


def _media_type(data: bytes) -> str:
    """The type of an image by its first bytes; "" for all others."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for signature, kind in _SIGNATURES if data.startswith(signature)), "")
