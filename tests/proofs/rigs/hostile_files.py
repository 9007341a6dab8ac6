"""Files, zips and folders made to hang, fill or mislead an import, each with the text of its refusal."""

from __future__ import annotations

import gzip
import os
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tests.builders import PAGE

MB = 1024 * 1024


def lines() -> Iterator[tuple[str, bytes, str]]:
    """JSON lines: name, bytes, text of the refusal."""
    about = b'{"question_text": "who", "document_html": "<p>words", "x": '
    yield "deep-lists", about + b"[" * 10_000 + b"]" * 10_000 + b"}", "deeper than"
    yield "deep-objects", about + b'{"x":' * 10_000, "deeper than"
    yield "half-surrogate", about + b'"\\ud800"}', "surrogate"
    yield "nul", about + b'"\\u0000"}', "NUL"
    yield "raw-nul", about + b'"\0"}', "control character"
    yield "not-a-number", about + b"NaN}", "NaN"
    yield "infinite", about + b"1e999}", "too large"
    yield "digits", about + b"9" * 1_000_000 + b"}", "digits"
    yield "twice", about + b'1, "x": 2}', "twice"
    yield "many-keys", b"{" + b",".join(b'"k%d":1' % n for n in range(300_000)) + b"}", "There is no such field"
    yield "not-utf-8", about + b'"\xff"}', "UTF-8"
    yield "utf-16", '{"question_text": "who"}'.encode("utf-16-le").replace(b"\n", b""), "byte"
    yield "mark", b"\xef\xbb\xbf" + about + b"1}", "byte order mark"
    yield "binary", bytes(n for n in range(256) if n != 10) * 100, "UTF-8|byte"
    yield "no-object", b"[" * 40 + b"]" * 40, "not an object"
    yield "long-text", b'{"question_text": "' + b"x" * (20 * MB) + b'", "y": [' + b"[]," * 100 + b"1]}", "no such field"
    yield "escapes", b'{"a":["' + b'\\"' * (5 * MB) + b"[" * 100, "Cut off"
    yield "backslashes", b'{"a": "' + b"\\" * (5 * MB + 1), "Cut off|byte"
    yield "too-long", b'{"question_text": "' + b"x" * (65 * MB), "over 64 MB"


def packed_files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Compressed files of lines, each with the text of its refusal."""
    path = folder / "endless-line.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(700):
            file.write(b"x" * MB)
    yield path, "over 512 MB"
    path = folder / "blank-lines.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n" * 2_000_000))
    yield path, "blank lines"
    path = folder / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(os.urandom(5000))[:-20])
    yield path, "can't be read"
    path = folder / "spoilt.jsonl.gz"
    path.write_bytes(gzip.compress(os.urandom(5000))[:100] + bytes(100))
    yield path, "can't be read"


def zip_entries(folder: Path) -> tuple[Path, list[tuple[str, str]]]:
    """A zip whose entries are traps, and (name in a line, text of the refusal) for each."""
    path = folder / "traps.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.html", bytes(64 * MB))
        archive.writestr("../outside.html", PAGE)
        archive.writestr("/etc/passwd", PAGE)
        archive.writestr("folder/", "")
        link = zipfile.ZipInfo("link.html")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("sound.html", PAGE)
        archive.writestr("secret.html", PAGE)
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"secret.html"))
    struct.pack_into("<H", data, at + 8, 1)  # says that it is encrypted
    path.write_bytes(data)
    said = [
        ("bomb.html", "a hundredth of its size"),
        ("../outside.html", "points outside"),
        ("/etc/passwd", "points outside"),
        ("folder/../../outside.html", "points outside"),
        ("folder/", "no visible words"),
        ("secret.html", "can't be read"),
        ("none.html", "no file"),
    ]
    return path, said


def broken_zips(folder: Path) -> Iterator[tuple[Path, str]]:
    """Zips that can't be read at all."""
    path = folder / "no.zip"
    path.write_bytes(b"this is no zip")
    yield path, "can't be read"
    path = folder / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(1500):
            archive.writestr(f"{number}/".ljust(12_000, "x"), "")
    yield path, "central directory"
    path = folder / "nested.zip"
    inner = folder / "inner.zip"
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("page.html", PAGE)
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(inner, "page.html")
    yield path, "UTF-8|binary"


def traps_in_folder(folder: Path) -> list[tuple[str, str]]:
    """Create links, pipes and folders where pages are searched for."""
    (folder.parent / "outside.html").write_text(PAGE)
    (folder / "link.html").symlink_to(folder.parent / "outside.html")
    (folder / "around").symlink_to(folder.parent)
    (folder / "circle.html").symlink_to(folder / "circle.html")
    (folder / "zeros.html").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.html")
    (folder / "folder.html").mkdir()
    with (folder / "large.html").open("wb") as file:
        file.truncate(1024 * MB)
    return [
        ("link.html", "points outside"),
        ("around/outside.html", "points outside"),
        ("circle.html", "can't be read|no file|points outside"),
        ("zeros.html", "points outside"),
        ("pipe.html", "no file"),
        ("folder.html", "no file"),
        ("large.html", "over 16 MB"),
        ("x" * 5000, "can't be read"),
    ]
