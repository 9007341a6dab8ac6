"""Small generated images: whole ones, or just enough of one to state its size."""

from __future__ import annotations

import struct
import zlib

SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def png(width: int = 8, height: int = 6, colour: bytes = b"\x20\x60\xa0", comment: bytes = b"") -> bytes:
    """A whole PNG of one colour."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    said = chunk(b"tEXt", b"Comment\0" + comment) if comment else b""
    rows = zlib.compress((b"\0" + colour * width) * height)
    return b"\x89PNG\r\n\x1a\n" + head + said + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def png_head(width: int, height: int) -> bytes:
    """The first bytes of a PNG of any size."""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))


def gif(width: int, height: int) -> bytes:
    """The first bytes of a GIF."""
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0"


def jpeg(width: int, height: int) -> bytes:
    """The first bytes of a JPEG: a comment that looks like a frame header, fill bytes, and the frame header."""
    comment = b"\xff\xfe" + struct.pack(">H", 12) + b"\xff\xc0\0\x0b\x08\0\1\0\1\3"
    return b"\xff\xd8" + comment + b"\xff\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\0" * 9


def turned_jpeg(width: int, height: int) -> bytes:
    """The first bytes of a JPEG whose EXIF orientation says to rotate it by a quarter turn."""
    tag = struct.pack(">HHLHH", 0x0112, 3, 1, 6, 0)
    exif = b"Exif\0\0MM\0*" + struct.pack(">LH", 8, 1) + tag + b"\0" * 4
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg(width, height)[2:]


def webp(width: int, height: int, form: bytes = b"VP8 ") -> bytes:
    """The first bytes of a WebP in one of its three variants."""
    if form == b"VP8X":
        body = b"\0" * 4 + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    elif form == b"VP8L":
        body = b"\x2f" + ((width - 1) | (height - 1) << 14).to_bytes(4, "little") + b"\0" * 8
    else:
        body = b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    return b"RIFF\0\0\0\0WEBP" + form + b"\0\0\0\0" + body


def chunk(kind: bytes, data: bytes) -> bytes:
    """One chunk of a PNG, with its length and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
