"""How the records of an imported file are written: JSON Lines, an array of JSON, or a table as spreadsheets save it.

Each is read as JSON Lines are, so that no reader of a protocol knows of the others. What is none of these is refused in
one sentence: what it is, and what to do.
"""

from __future__ import annotations

import codecs
import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from typing import IO

from annotation.errors import ImportRefused
from annotation.parsing.strict_json import FILE_VALUES, JsonRefused, strict_loads

BEGINNING = 64 * 1024
"""Bytes that are looked at."""
MAX_ROW = 64 * 1024 * 1024
"""Bytes of a row: the rows of a packed file may be of any length."""
_FIELD = MAX_ROW
"""Characters of a field, for the csv module, whose own limit is lower."""
MORE_CELLS = b"\x00more cells"
"""What is yielded for a row with more cells than the header has."""
_KNOWN = {
    b"%PDF-": "a PDF document, of which nothing was read. Give a text file in UTF-8.",
    codecs.BOM_UTF16_LE: "text in UTF-16, of which nothing was read. Save it as UTF-8.",
    codecs.BOM_UTF16_BE: "text in UTF-16, of which nothing was read. Save it as UTF-8.",
    b"BZh": "packed with bzip2, of which nothing was read. Unpack it, or pack it with gzip.",
    b"\xfd7zXZ\x00": "packed with xz, of which nothing was read. Unpack it, or pack it with gzip.",
    b"\xd0\xcf\x11\xe0": "a workbook of an old spreadsheet program, of which nothing was read. Save its sheet as CSV in"
    " UTF-8.",
    b"PK\x03\x04": "a zip archive inside another, of which nothing was read. Unpack it.",
    b"\x1f\x8b": "packed twice, of which nothing was read. Unpack it.",
}
"""What files that begin with these bytes are, in the words of a refusal."""
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")
_COLUMN = re.compile(r"\w[\w .-]{0,59}")


class Form(StrEnum):
    """How the records of a file are written. The value of a table is its delimiter."""

    LINES = "lines"
    ARRAY = "array"
    TABS = "\t"
    COMMAS = ","
    SEMICOLONS = ";"

    @property
    def is_table(self) -> bool:
        """Whether it is a table, whose values are all texts."""
        return self in (Form.TABS, Form.COMMAS, Form.SEMICOLONS)


def form_of(name: str, beginning: bytes) -> Form:
    """The form of a file that begins so; ImportRefused, which says what it is, if it is no text or a page.

    Text is what has no NUL byte and is UTF-8, or at least has no control characters: a text in another encoding is
    refused line by line, where it is not ASCII.
    """
    for start, words in _KNOWN.items():
        if beginning.startswith(start):
            raise ImportRefused(f"{name} is {words}")
    if b"\x00" in beginning or (_CONTROL.search(beginning) and not _is_utf_8(beginning)):
        raise ImportRefused(f"{name} is not a text file, so nothing of it was read. Give a text file in UTF-8.")
    text = beginning.removeprefix(codecs.BOM_UTF8).lstrip()
    if text.startswith(b"<"):
        raise ImportRefused(
            f"{name} is a web page or XML, of which nothing was read. Give a file with a line for each record, which"
            " may name pages in a zip beside it."
        )
    if text.startswith(b"["):
        first, _newline, rest = text.partition(b"\n")
        return Form.LINES if first.rstrip().endswith(b"]") and rest.lstrip().startswith(b"[") else Form.ARRAY
    return Form.LINES if text.startswith(b"{") else _delimiter(name, text)


def _delimiter(name: str, text: bytes) -> Form:
    """The form of a table, if the first line names columns or the file's name says that it is one."""
    header = text.partition(b"\n")[0].decode("utf-8", "replace").strip()
    found: list[tuple[int, Form]] = []
    for form in (Form.TABS, Form.SEMICOLONS, Form.COMMAS):
        columns = next(csv.reader([header], delimiter=form.value), [])
        if len(columns) > 1 and all(_COLUMN.fullmatch(column.strip()) for column in columns):
            found.append((len(columns), form))
    if found:
        return max(found, key=lambda each: each[0])[1]
    stem = name.removesuffix(".gz").lower()
    return Form.TABS if stem.endswith((".tsv", ".tab")) else Form.COMMAS if stem.endswith(".csv") else Form.LINES


def table_lines(name: str, file: IO[bytes], form: Form) -> Iterator[tuple[int, bytes]]:
    """Each row of a table as a line of JSON Lines: its number as spreadsheets count, and its cells by column.

    All values are texts, as they stand there; empty cells are left out. ImportRefused for a header or an
    encoding that can't be used.
    """
    columns: list[str] = []
    for number, _raw, row in table_rows(name, file, form):
        if number == 1:
            columns = _columns(name, row)
        elif any(map(str.strip, row[len(columns) :])):
            yield number, MORE_CELLS
        elif cells := {column: cell for column, cell in zip(columns, row, strict=False) if cell.strip()}:
            yield number, json.dumps(cells, ensure_ascii=False).encode()


def table_rows(name: str, file: IO[bytes], form: Form) -> Iterator[tuple[int, str, list[str]]]:
    """Each row, the one with the names of the columns too: its number, how it is written, and its cells."""
    csv.field_size_limit(_FIELD)
    lines: list[str] = []

    def noted() -> Iterator[str]:
        held = 0
        while line := file.readline(MAX_ROW + 1):
            held = len(line) + (held if lines else 0)
            if held > MAX_ROW:
                raise ImportRefused(f"{name}: row {number + 1:,} is over {MAX_ROW // 2**20} MB.")
            lines.append((line if number or lines else line.removeprefix(codecs.BOM_UTF8)).decode())
            yield lines[-1]

    number = 0
    try:
        for number, row in enumerate(csv.reader(noted(), delimiter=form.value), start=1):
            yield number, "".join(lines), row
            lines.clear()
    except UnicodeDecodeError:
        raise ImportRefused(
            f"{name} is not UTF-8 after row {number:,}. In the spreadsheet, save it as “CSV UTF-8”."
        ) from None
    except csv.Error as error:
        raise ImportRefused(f"{name}: row {number + 1:,} can't be read as a row of a table: {error}.") from None


def _columns(name: str, header: list[str]) -> list[str]:
    columns = [column.strip() for column in header]
    while columns and not columns[-1]:
        columns.pop()
    twice = [column for column, times in Counter(columns).items() if times > 1 and column]
    if "" in columns:
        raise ImportRefused(f"{name}: column {columns.index('') + 1} has no name in the first row.")
    if twice:
        raise ImportRefused(f"{name}: the first row names {twice[0]} twice.")
    return columns


def array_lines(name: str, data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each element of a JSON array as a line of JSON Lines, numbered from 1; ImportRefused if it is none."""
    try:
        found = strict_loads(data.removeprefix(codecs.BOM_UTF8), values=FILE_VALUES)
    except JsonRefused as error:
        raise ImportRefused(f"{name} begins like an array of JSON and is none: {error}") from None
    for number, element in enumerate(found, start=1):
        yield number, json.dumps(element, ensure_ascii=False).encode()


def _is_utf_8(beginning: bytes) -> bool:
    """Whether the bytes are UTF-8; a character may be cut off at the end."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return False
    return True
