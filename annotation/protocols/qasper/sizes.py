"""How large an image is, by its first bytes, so that a paper keeps its place while its images load."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from annotation.records import DocumentRecord

Size = tuple[int, int]
"""Width and height in pixels; (0, 0) where they can't be told."""
UNKNOWN: Size = (0, 0)
START_OF_FRAME = frozenset(chain(range(0xC0, 0xC4), range(0xC5, 0xC8), range(0xC9, 0xCC), range(0xCD, 0xD0)))
"""The JPEG segments that tell the size (ITU T.81, table B.1)."""


@lru_cache(maxsize=4096)
def size_of(document: DocumentRecord) -> Size:
    """The size of an image's document; read once in each process."""
    try:
        return size(document.source)
    except OSError:
        return UNKNOWN


def size(data: bytes) -> Size:
    """The size of a PNG, GIF, WebP or JPEG image."""
    if data.startswith(b"\x89PNG") and len(data) >= 24:
        return _number(data, 16, 4), _number(data, 20, 4)
    if data.startswith(b"GIF8") and len(data) >= 10:
        return _number(data, 6, 2, "little"), _number(data, 8, 2, "little")
    if data[:4] == b"RIFF" and len(data) >= 30:
        return _webp(data)
    return _jpeg(data) if data.startswith(b"\xff\xd8") else UNKNOWN


def _webp(data: bytes) -> Size:
    """By the kind of its first chunk: extended, lossless or lossy."""
    if data[12:16] == b"VP8X":
        return _number(data, 24, 3, "little") + 1, _number(data, 27, 3, "little") + 1
    if data[12:16] == b"VP8L":
        bits = _number(data, 21, 4, "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return _number(data, 26, 2, "little") & 0x3FFF, _number(data, 28, 2, "little") & 0x3FFF


def _jpeg(data: bytes) -> Size:
    """In the segment that starts the frame; those before it say how long they are."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in START_OF_FRAME:
            return _number(data, at + 7, 2), _number(data, at + 5, 2)
        at += 1 if data[at + 1] == 0xFF else 2 + _number(data, at + 2, 2)
    return UNKNOWN


def _number(data: bytes, at: int, length: int, order: str = "big") -> int:
    return int.from_bytes(data[at : at + length], "big" if order == "big" else "little")
