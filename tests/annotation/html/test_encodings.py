"""Pages in other encodings than UTF-8 are converted if they declare it, and refused with a hint if they don't."""

from __future__ import annotations

import codecs

import pytest

from annotation.html import PageRefused, lay_out, open_page, render, take_in

TEXT = "<p>Le café “Zum Löwen” – 5 €</p>"


def declared(name):
    return f"<html lang=fr><head><meta charset={name}></head>{TEXT}"


@pytest.mark.parametrize(
    ("label", "codec", "name"),
    [
        ("windows-1252", "cp1252", "windows-1252"),
        ("iso-8859-1", "cp1252", "windows-1252"),
        ("gb18030", "gb18030", "gb18030"),
    ],
)
def test_a_page_that_declares_its_encoding_is_converted(label, codec, name):
    page = open_page(declared(label).encode(codec))
    assert page.source.decode() == declared(label)
    assert (page.encoding.lower(), page.lang) == (name, "fr")
    _page, layout, _images = take_in(declared(label).encode(codec))
    assert layout == lay_out(declared(label).encode())
    assert "Le café “Zum Löwen” – 5 €" in render(page.source, layout).text


@pytest.mark.parametrize(("mark", "codec"), [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")])
def test_a_byte_order_mark_declares_utf_16(mark, codec):
    assert open_page(mark + TEXT.encode(codec)).source.decode() == TEXT


def test_valid_utf_8_stays_as_it_is_whatever_the_page_declares():
    page = open_page(declared("windows-1252").encode())
    assert (page.source.decode(), page.encoding) == (declared("windows-1252"), "UTF-8")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (TEXT.encode("cp1252"), r"not UTF-8: byte 9 is invalid\. It seems to be windows-1252: convert it, or declare"),
        (declared("utf-8").encode("cp1252"), r"not UTF-8: byte 56 is invalid\.$"),
        (declared("gb18030").encode() + b"\xff\xff", "declares gb18030, but has bytes that are not in it"),
        (b"\xff\xfe" + "<p>a\0b".encode("utf-16-le"), "binary"),
    ],
)
def test_what_can_not_be_converted_is_refused_with_a_hint(data, reason):
    with pytest.raises(PageRefused, match=f"(?i){reason}"):
        open_page(data)


def test_a_page_that_grows_over_the_limit_when_converted_is_refused():
    data = b"<meta charset=windows-1252><p>" + b"\x80" * 2_000_000
    with pytest.raises(PageRefused, match=r"6,000,030 bytes; the limit is 4,194,304"):
        open_page(data)
