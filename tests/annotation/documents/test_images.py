"""An image is what its bytes say, whatever its name, and its size is known without decoding it."""

import struct

import pytest

from annotation.documents import images
from annotation.documents.images import UNKNOWN, ImageAllowance, ImageRefused, Size
from annotation.values.records import DocumentRecord
from tests.pictures import SVG, gif, jpeg, png, png_head, turned_jpeg, webp

WHOLE = {
    "png": (png(300, 200), "image/png"),
    "gif": (gif(300, 200), "image/gif"),
    "jpeg": (jpeg(300, 200), "image/jpeg"),
    **{f"webp {form.decode()}": (webp(300, 200, form), "image/webp") for form in (b"VP8 ", b"VP8L", b"VP8X")},
}


@pytest.mark.parametrize("form", WHOLE)
def test_type_and_size_are_read_from_the_bytes(form):
    data, kind = WHOLE[form]
    assert images.check(data) == (kind, Size(300, 200))


@pytest.mark.parametrize("form", WHOLE)
def test_the_size_of_a_truncated_image_is_unknown_or_right(form):
    data, _kind = WHOLE[form]
    assert {images.size_in(data[:end]) for end in range(len(data))} <= {UNKNOWN, Size(300, 200)}


def test_a_rotated_photo_has_the_size_at_which_browsers_show_it():
    assert images.check(turned_jpeg(300, 200)) == ("image/jpeg", Size(200, 300))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (SVG, "an SVG drawing, which can hold script"),
        (b"\xef\xbb\xbf \n<!-- x --><SVG onload=alert(1)>", "an SVG drawing, which can hold script"),
        (b"<html>Not found</html>", "not a PNG, JPEG, GIF or WebP image"),
        (b"%PDF-1.7", "not a PNG, JPEG, GIF or WebP image"),
        (b"BM" + struct.pack("<IIIIii", 99, 0, 54, 40, 9, 9), "not a PNG, JPEG, GIF or WebP image"),
        (b"II*\0\x08\0\0\0\0\0", "not a PNG, JPEG, GIF or WebP image"),
        (b"P6 9 9 255\n", "not a PNG, JPEG, GIF or WebP image"),
        (b"", "not a PNG, JPEG, GIF or WebP image"),
        (png()[:20], "a broken image"),
        (jpeg(9, 9)[:15], "a broken image"),
        (b"\xff\xd8\xff\xe0\0\0" * 3, "a broken image"),
        (b"\xff\xd8" + b"\xff" * 9999, "a broken image"),
        (b"\xff\xd8" + b"\xff\xe0\0\2" * 9999, "a broken image"),
        (gif(0, 9), "a broken image"),
        (gif(65_534, 65_534), "a broken image"),
        (gif(9, 9)[:7], "a broken image"),
        (webp(9, 9)[:20], "a broken image"),
        (webp(9, 9, b"VP9 "), "a broken image"),
        (png_head(30_000, 30_000), "over 25,000,000 pixels"),
        (png_head(2**32 - 1, 2**32 - 1), "over 25,000,000 pixels"),
        (jpeg(60_000, 60_000), "over 25,000,000 pixels"),
        (png() + b"\0" * images.BYTES_LIMIT, "over 4 MB"),
    ],
)
def test_what_is_not_an_image_or_too_large_is_refused_with_a_reason(data, reason):
    with pytest.raises(ImageRefused) as refused:
        images.check(data)
    assert refused.value.reason == reason


def test_a_file_that_names_a_url_or_an_entity_is_not_followed(monkeypatch):
    """imagesize can open URLs and parse XML; it is given neither."""
    monkeypatch.setattr("imagesize.get", lambda file: pytest.fail(f"asked about {file!r}"))
    for data in (b"https://example.org/a.png", b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg/>'):
        assert images.size_in(data) == UNKNOWN


def test_the_images_of_one_document_have_a_common_limit(monkeypatch):
    monkeypatch.setattr(images, "FILES_LIMIT", 3)
    monkeypatch.setattr(images, "BYTES_TOGETHER_LIMIT", 2 * len(png()))
    allowance = ImageAllowance()
    for _image in range(2):
        allowance.count_file()
        allowance.check(png())
    allowance.count_file()
    with pytest.raises(ImageRefused, match="beyond 0 MB of images"):
        allowance.check(png())
    with pytest.raises(ImageRefused, match="beyond the first 3 images"):
        allowance.count_file()


def test_an_image_whose_file_is_gone_has_no_size_and_breaks_nothing():
    def gone(_sha256):
        raise FileNotFoundError

    assert images.size_of(DocumentRecord("0" * 64, "image/png", "", load_source=gone)) == UNKNOWN


def test_the_size_of_a_stored_image_is_read_once():
    read = []

    def load(sha256):
        read.append(sha256)
        return png(9, 6)

    document = DocumentRecord("1" * 64, "image/png", "", load_source=load)
    assert [images.size_of(document), images.size_of(document)] == [Size(9, 6)] * 2
    assert len(read) == 1
