"""The size of an image is told by its first bytes, in each format that a paper may have."""

from __future__ import annotations

import struct

import pytest

from annotation.protocols.qasper.sizes import size, size_of
from annotation.records import DocumentRecord

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 900, 600)
GIF = b"GIF89a" + struct.pack("<HH", 900, 600)
JPEG = b"\xff\xd8\xff\xe0\x00\x04\x00\x00\xff\xff\xc2\x00\x11\x08" + struct.pack(">HH", 600, 900) + b"\x03"
LOSSY = b"RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", 900, 600)
LOSSLESS = b"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f" + struct.pack("<I", 899 | 599 << 14) + b"\x00" * 8
EXTENDED = b"RIFF\x00\x00\x00\x00WEBPVP8X\x00\x00\x00\x00\x00\x00\x00\x00\x83\x03\x00\x57\x02\x00"
ALL = {"png": PNG, "gif": GIF, "jpeg": JPEG, "lossy": LOSSY, "lossless": LOSSLESS, "extended": EXTENDED}


@pytest.mark.parametrize("kind", ALL)
def test_the_size_is_width_by_height(kind):
    assert size(ALL[kind]) == (900, 600)


@pytest.mark.parametrize("kind", ALL)
def test_of_an_image_that_was_cut_it_is_unknown_or_right(kind):
    assert {size(ALL[kind][:end]) for end in range(len(ALL[kind]))} <= {(0, 0), (900, 600)}


def test_of_what_is_no_image_it_is_unknown():
    assert size(b"<svg width='9'>") == (0, 0)
    assert size(b"\xff\xd8" + b"\xff" * 50) == (0, 0)


def test_an_image_whose_file_is_gone_has_no_size_and_breaks_no_paper():
    def gone(_sha256):
        raise FileNotFoundError

    assert size_of(DocumentRecord("0" * 64, "image/png", "", load_source=gone)) == (0, 0)
