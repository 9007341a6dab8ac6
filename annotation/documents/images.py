"""Check image files by their bytes: the allowed types, the size in pixels, and one set of limits for every protocol.

Only headers are read; nothing is decoded. imagesize accepts more formats than we serve, so it is called only for files
with the signature of an allowed type.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import imagesize

if TYPE_CHECKING:
    from annotation.values.records import DocumentRecord

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_SEARCHED_FOR_SVG = 512 * 1024
"""Bytes of a file searched for <svg, to give the right reason."""

BYTES_LIMIT = 4 * 1024 * 1024
PIXELS_LIMIT = 25_000_000
"""A browser needs four bytes per pixel, however small the file is."""
FILES_LIMIT = 200
"""Image files per document."""
BYTES_TOGETHER_LIMIT = 32 * 1024 * 1024
"""Bytes of all images of one document."""


class ImageRefused(Exception):
    """An image is not imported; `reason` is a phrase that completes a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Size(NamedTuple):
    """Width and height in pixels, as a browser shows the image."""

    width: int
    height: int


UNKNOWN = Size(0, 0)


@dataclass
class ImageAllowance:
    """Counts the image files and bytes of one document against its limits."""

    files: int = 0
    weight: int = 0

    def count_file(self) -> None:
        """Call this before looking for each file; raises ImageRefused beyond FILES_LIMIT."""
        self.files += 1
        if self.files > FILES_LIMIT:
            raise ImageRefused(f"beyond the first {FILES_LIMIT} images")

    def check(self, data: bytes) -> tuple[str, Size]:
        """The media type and size of an image that may be shown; raises ImageRefused, also beyond the limits."""
        kind, size = check(data)
        if self.weight + len(data) > BYTES_TOGETHER_LIMIT:
            raise ImageRefused(f"beyond {BYTES_TOGETHER_LIMIT // 2**20} MB of images")
        self.weight += len(data)
        return kind, size


def check(data: bytes) -> tuple[str, Size]:
    """The media type and size of one image that may be shown; raises ImageRefused."""
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
    """The size in an image's header, with its EXIF orientation applied; UNKNOWN if there is none."""
    if not _media_type(data):
        return UNKNOWN
    width, height = imagesize.get(io.BytesIO(data))
    # imagesize returns -1 for a broken header; it reads a GIF's 16 bits as signed, so sides over 32,767 are negative.
    return Size(width, height) if width > 0 and height > 0 else UNKNOWN


@lru_cache(maxsize=4096)
def size_of(document: DocumentRecord) -> Size:
    """The size of a stored image, cached per process; pages state it so that nothing moves while images load."""
    try:
        return size_in(document.source)
    except OSError:
        return UNKNOWN


def _media_type(data: bytes) -> str:
    """The media type by the file's signature (magic bytes); "" if it is none of the allowed ones."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for signature, kind in _SIGNATURES if data.startswith(signature)), "")
