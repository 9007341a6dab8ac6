"""A file that is no text is refused whole; a text in another encoding, or with one broken line, is read on."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile

import pytest

from annotation.errors import ImportRefused
from annotation.parsing.sources import BEGINNING, FileSource

ROWS = [{"question_text": f"question {number}", "document_html": "<p>Anna</p>"} for number in range(8)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


def zipped(compression: int) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", compression) as archive:
        archive.writestr("rows.jsonl", LINES)
    return found.getvalue()


BINARY = {
    "stored.zip": (zipped(zipfile.ZIP_STORED), "a zip archive"),
    "packed.zip": (zipped(zipfile.ZIP_DEFLATED), "a zip archive"),
    "book.xlsx": (zipped(zipfile.ZIP_DEFLATED), "a zip archive"),
    "empty.zip": (b"PK\x05\x06" + bytes(18), "a zip archive"),
    "rows.jsonl": (gzip.compress(LINES), "packed with gzip, although its name does not end in .gz"),
    "paper.pdf": (b"%PDF-1.7\n" + LINES, "a PDF document"),
    "utf16.jsonl": (LINES.decode().encode("utf-16"), "text in UTF-16"),
    "utf16-without-mark.jsonl": (LINES.decode().encode("utf-16-le"), "not a text file"),
    "rows.jsonl.bz2": (bz2.compress(LINES * 40), "not a text file"),
    "rows.jsonl.xz": (lzma.compress(LINES * 40), "not a text file"),
    "nul-at-the-end-of-the-beginning": (LINES.ljust(BEGINNING - 1, b" ") + b"\x00\n" + LINES, "not a text file"),
    "packed-twice.gz": (gzip.compress(gzip.compress(LINES)), "packed with gzip, although its name does not end in .gz"),
}


@pytest.mark.parametrize("name", BINARY)
def test_what_is_no_text_is_refused_whole_and_said_by_name(tmp_path, name):
    data, what = BINARY[name]
    (tmp_path / name).write_bytes(data)
    source = FileSource(tmp_path / name)
    for read in (lambda: list(source.lines()), source.whole):
        with pytest.raises(ImportRefused) as refused:
            read()
        assert str(refused.value) == f"{name} is {what}, so nothing of it was read. Give a text file in UTF-8."


TEXTS = {
    "plain": LINES,
    "of any script": "".join(
        json.dumps(row | {"t": "灯塔 شمع 🦊"}, ensure_ascii=False) + "\n" for row in ROWS
    ).encode(),
    "cut inside a character": ("x" * (BEGINNING - 1) + "é\n").encode() + LINES,
    "in Latin-1": '{"question_text": "café"}\n'.encode("latin-1") + LINES,
    "with a control character": b'{"question_text": "\x0c\x1b"}\n' + LINES,
    "empty": b"",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
def test_a_text_is_read_from_its_first_byte(tmp_path, text, pack):
    path = tmp_path / ("rows.jsonl" if pack is bytes else "rows.jsonl.gz")
    path.write_bytes(pack(text))
    assert b"".join(line + b"\n" for _number, line in FileSource(path).lines()) == text
    assert FileSource(path).whole() == text
