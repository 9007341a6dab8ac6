"""A file that is no text is refused whole, and packed ones are read; a text with one broken line is read on."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile

import pytest

from annotation.errors import ImportRefused
from annotation.parsing.forms import BEGINNING
from annotation.parsing.sources import FileSource

ROWS = [{"question_text": f"question {number}", "document_html": "<p>Anna</p>"} for number in range(8)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


def zipped(*names: str, data: bytes = LINES, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", compression) as archive:
        for name in names:
            archive.writestr(name, data)
    return found.getvalue()


UTF_16 = "text in UTF-16, of which nothing was read. Save it as UTF-8."
NO_TEXT = "not a text file, so nothing of it was read. Give a text file in UTF-8."
ONE = "Give a zip with one such file (.jsonl, .ndjson, .json, .csv, .tsv, .tab), or the file itself."


BINARY = {
    "pages.zip": (zipped("a.html", "b.html"), f"a zip with no file with records. {ONE}"),
    "two.zip": (zipped("b.jsonl", "a.csv", "c.txt"), f"a zip with 2 files with records: a.csv, b.jsonl. {ONE}"),
    "empty.zip": (b"PK\x05\x06" + bytes(18), f"a zip with no file with records. {ONE}"),
    "book.xlsx": (
        zipped("[Content_Types].xml", "xl/workbook.xml"),
        "a workbook or a document, of which nothing was read. Save its sheet as CSV in UTF-8.",
    ),
    "book.xls": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + LINES,
        "a workbook of an old spreadsheet program, of which nothing was read. Save its sheet as CSV in UTF-8.",
    ),
    "paper.pdf": (
        b"%PDF-1.7\n" + LINES,
        "a PDF document, of which nothing was read. Give a text file in UTF-8.",
    ),
    "page.html": (
        b"\n<!doctype html><title>Lights</title>",
        "a web page or XML, of which nothing was read. Give a file with a line for each record, which may name pages in"
        " a zip beside it.",
    ),
    "utf16.jsonl": (LINES.decode().encode("utf-16"), UTF_16),
    "utf16-without-mark.jsonl": (LINES.decode().encode("utf-16-le"), NO_TEXT),
    "rows.jsonl.bz2": (
        bz2.compress(LINES * 40),
        "packed with bzip2, of which nothing was read. Unpack it, or pack it with gzip.",
    ),
    "rows.jsonl.xz": (
        lzma.compress(LINES * 40),
        "packed with xz, of which nothing was read. Unpack it, or pack it with gzip.",
    ),
    "nul-at-the-end-of-the-beginning": (LINES.ljust(BEGINNING - 1, b" ") + b"\x00\n" + LINES, NO_TEXT),
    "packed-twice.gz": (gzip.compress(gzip.compress(LINES)), "packed twice, of which nothing was read. Unpack it."),
}


@pytest.mark.parametrize("name", BINARY)
def test_what_is_no_text_is_refused_whole_and_said_by_name(tmp_path, name):
    data, what = BINARY[name]
    (tmp_path / name).write_bytes(data)
    source = FileSource(tmp_path / name)
    for read in (lambda: list(source.lines()), source.whole):
        with pytest.raises(ImportRefused) as refused:
            read()
        assert str(refused.value) == f"{name} is {what}"


PACKED = {
    "rows.jsonl.gz": gzip.compress(LINES),
    "rows.jsonl": gzip.compress(LINES),
    "stored.zip": zipped("rows.jsonl", compression=zipfile.ZIP_STORED),
    "deflated.zip": zipped("folder/rows.jsonl"),
    "of macOS.zip": zipped("rows.jsonl", "__MACOSX/._rows.jsonl"),
    "with pages.zip": zipped("rows.jsonl", "pages/a.html"),
    "gzipped inside.zip": zipped("rows.jsonl.gz", data=gzip.compress(LINES)),
    "not a zip.zip": LINES,
    "not packed.gz": LINES,
}


@pytest.mark.parametrize("name", PACKED)
def test_a_packed_file_is_read_whatever_its_name_says(tmp_path, name):
    (tmp_path / name).write_bytes(PACKED[name])
    source = FileSource(tmp_path / name)
    assert b"".join(line + b"\n" for _number, line in source.lines()) == LINES
    assert source.whole() == LINES


def test_the_pages_of_a_zip_are_those_that_its_lines_name_and_its_name_is_that_of_the_file(tmp_path):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("dev-rows.jsonl", LINES)
        archive.writestr("pages/a.html", b"<p>Anna</p>")
    source = FileSource(tmp_path / "all.zip")
    assert source.name == "dev-rows.jsonl"
    assert source.resource("pages/a.html") == b"<p>Anna</p>"
    assert source.read_as == "Read dev-rows.jsonl in the zip."


TEXTS = {
    "plain": LINES,
    "of any script": "".join(
        json.dumps(row | {"t": "灯塔 شمع 🦊"}, ensure_ascii=False) + "\n" for row in ROWS
    ).encode(),
    "cut inside a character": ("x" * (BEGINNING - 1) + "é\n").encode() + LINES,
    "with a mark": "\ufeff".encode() + LINES,
    "in Latin-1": '{"question_text": "café"}\n'.encode("latin-1") + LINES,
    "with a control character": b'{"question_text": "\x0c\x1b"}\n' + LINES,
    "empty": b"",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
def test_a_text_is_read_from_its_first_byte(tmp_path, text, pack):
    path = tmp_path / ("rows.jsonl" if pack is bytes else "rows.jsonl.gz")
    path.write_bytes(pack(text))
    text = text.removeprefix("\ufeff".encode())
    assert b"".join(line + b"\n" for _number, line in FileSource(path).lines()) == text
    assert FileSource(path).whole() == text
