"""Recognise a file that is no text by its beginning, so that nothing of it is taken for lines."""

from __future__ import annotations

import codecs
import re

from annotation.errors import ImportRefused

BEGINNING = 64 * 1024
"""Bytes that are looked at."""
_KNOWN = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "a zip archive",
    b"\x1f\x8b": "packed with gzip, although its name does not end in .gz",
    b"%PDF-": "a PDF document",
    codecs.BOM_UTF16_LE: "text in UTF-16",
    codecs.BOM_UTF16_BE: "text in UTF-16",
}
"""What files that begin with these bytes are, in the words of a refusal."""
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")


def refuse_binary(name: str, beginning: bytes) -> None:
    """Raise ImportRefused, which says what the file is, if its beginning is no text.

    Text is what has no NUL byte and is UTF-8, or at least has no control characters: a text in another encoding is
    refused line by line, where it is not ASCII.
    """
    known = next((words for start, words in _KNOWN.items() if beginning.startswith(start)), "")
    if known or b"\x00" in beginning or (_CONTROL.search(beginning) and not _is_utf_8(beginning)):
        what = known or "not a text file"
        raise ImportRefused(f"{name} is {what}, so nothing of it was read. Give a text file in UTF-8.")


def _is_utf_8(beginning: bytes) -> bool:
    """Whether the bytes are UTF-8; a character may be cut off at the end."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return False
    return True
