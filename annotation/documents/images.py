"""What an image file is, told by its bytes alone: its type, its size in pixels, and why it is not taken in."""

from __future__ import annotations

from dataclasses import dataclass

_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_FRAME_STARTS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG after which its height and width stand."""
_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers of a JPEG that have no length."""
_LOOKED_AT = 512 * 1024
"""Bytes of a document in which <svg is looked for."""

BYTES_LIMIT = 4 * 1024 * 1024
PIXELS_LIMIT = 25_000_000
"""A browser needs four bytes for each of them, whatever the file weighs."""


class PictureRefused(Exception):
    """An image that is not imported; `reason` says what it is in a few words, without a full stop."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height in pixels."""

    width: int
    height: int


def media_type(data: bytes) -> str:
    """The type of an image by its first bytes; "" for others, SVG too, which can hold script."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for beginning, kind in _BEGINNINGS if data.startswith(beginning)), "")


def check(data: bytes) -> tuple[str, Size]:
    """The type and the size of an image that may be shown; raises PictureRefused."""
    if len(data) > BYTES_LIMIT:
        raise PictureRefused(f"over {BYTES_LIMIT // 2**20} MB")
    kind = media_type(data)
    if not kind:
        if b"<svg" in data[:_LOOKED_AT].lower():
            raise PictureRefused("an SVG drawing, which can hold script")
        raise PictureRefused("no PNG, JPEG, GIF or WebP image")
    size = _SIZES[kind](data)
    if size is None or not size.width or not size.height:
        raise PictureRefused("a broken image")
    if size.width * size.height > PIXELS_LIMIT:
        raise PictureRefused(f"over {PIXELS_LIMIT:,} pixels")
    return kind, size


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _png(data: bytes) -> Size | None:
    return Size(_big(data[16:20]), _big(data[20:24])) if data[12:16] == b"IHDR" and len(data) >= 24 else None


def _gif(data: bytes) -> Size:
    return Size(_little(data[6:8]), _little(data[8:10]))


def _jpeg(data: bytes) -> Size | None:
    """The first frame's; None where the file ends before it or what stands there is no marker."""
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:  # filling
            at += 1
        elif marker in _BARE:
            at += 2
        elif marker in _FRAME_STARTS:
            return Size(_big(data[at + 7 : at + 9]), _big(data[at + 5 : at + 7]))
        else:
            at += 2 + max(2, _big(data[at + 2 : at + 4]))
    return None


def _webp(data: bytes) -> Size | None:
    if len(data) < 30:
        return None
    match data[12:16]:
        case b"VP8 ":
            return Size(_little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF)
        case b"VP8L":
            bits = _little(data[21:25])
            return Size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8X":
            return Size(_little(data[24:27]) + 1, _little(data[27:30]) + 1)
    return None


_SIZES = {"image/png": _png, "image/jpeg": _jpeg, "image/gif": _gif, "image/webp": _webp}
