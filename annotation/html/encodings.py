"""Decode a page that is not UTF-8, if it declares its encoding: by a byte order mark or a meta element."""

from __future__ import annotations

from turbohtml.detect import detect

from annotation.html.errors import PageRefused

UTF8 = "UTF-8"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
BINARY = "The page is binary: it contains NUL bytes."
DECLARED = 1.0
"""turbohtml's confidence in what a page declares; its guesses have less."""


def to_utf8(data: bytes) -> tuple[bytes, str]:
    """The page in UTF-8 without a byte order mark, and the encoding that it had; raises PageRefused.

    Valid UTF-8 stays as it is, whatever the page declares.
    """
    marked = data.startswith(UTF16_MARKS)
    if not marked and b"\0" in data:
        raise PageRefused(BINARY)
    found = None if marked else _utf8(data)
    if found is not None:
        return found, UTF8
    match = detect(data)
    name, codec = match.encoding or "", match.codec or UTF8
    if name.upper().startswith(UTF8) or match.confidence < DECLARED:
        raise PageRefused(_not_utf8(data, "" if name.upper().startswith(UTF8) else name))
    text = data.decode(codec).removeprefix("\ufeff")
    if "\ufffd" in text:  # the codec decodes as a browser does, which never fails
        raise PageRefused(f"The page declares {name}, but has bytes that are not in it. Convert it to UTF-8.")
    if "\0" in text:
        raise PageRefused(BINARY)
    return text.encode(), name


def _utf8(data: bytes) -> bytes | None:
    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    return data.removeprefix(b"\xef\xbb\xbf")


def _not_utf8(data: bytes, guess: str) -> str:
    """Why it is refused, with the encoding that it seems to have, if any."""
    try:
        data.decode()
        at = 0
    except UnicodeDecodeError as error:
        at = error.start
    said = f"The page is not UTF-8: byte {at:,} is invalid."
    if guess:
        said += f" It seems to be {guess}: convert it, or declare it with <meta charset={guess}> at its beginning."
    return said
