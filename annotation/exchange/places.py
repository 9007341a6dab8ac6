"""Check the places of marks against their text: tools count characters in different ways, and exports are edited."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from annotation.parsing.fields import LineRefused
from annotation.values.exchange import Span

SHOWN = 40
"""Characters that a sentence quotes."""
UTF_16 = "The places of marks count UTF-16 units, as in browsers; they were counted again in characters."
UNCHECKED = (
    "There are characters before a mark that some programs count as two, and the export has no words to compare:"
    " look whether the mark is right."
)


def integer(value: Any, field: str) -> int:
    """A place; LineRefused unless it is an integer from 0."""
    if type(value) is not int:
        raise LineRefused(field, "The place of a mark is not an integer.")
    if value < 0:
        raise LineRefused(field, "The place of a mark is below 0.")
    return value


def checked(text: str, start: int, end: int, words: str | None, field: str) -> tuple[Span, str]:
    """The mark in code points of the text, and a note about it or "".

    Where the words at that place are not those of the mark, its places may count UTF-16 units; LineRefused if they are
    not there in either way.
    """
    found, note = checked_pieces(text, [(start, end)], words, field)
    return found[0], note


def checked_pieces(
    text: str, pieces: Sequence[Span], words: str | None, field: str, *, between: str = " "
) -> tuple[tuple[Span, ...], str]:
    """The same for a mark of several pieces, whose words are written one after another with `between`."""
    if any(start >= end for start, end in pieces):
        raise LineRefused(field, "A mark ends before it begins, or is empty.")
    if words is None:
        return _unchecked(text, pieces, field)
    wanted = {_plain(words)}
    for spans, note in ((tuple(pieces), ""), (_from_utf_16(text, pieces), UTF_16)):
        if spans and max(end for _start, end in spans) <= len(text):
            said = [text[start:end] for start, end in spans]
            if wanted & {_plain(between.join(said)), _plain("".join(said)), _plain(between.join(said), newline=" ")}:
                return _with_words(text, spans, field), note
    there = " ".join(text[start:end] for start, end in pieces)
    raise LineRefused(
        field, f"The text has {quoted(there)} at {_places(pieces)}, and not the words of the mark, {quoted(words)}."
    )


def _unchecked(text: str, pieces: Sequence[Span], field: str) -> tuple[tuple[Span, ...], str]:
    """Marks of which the export has no words: their places have to exist."""
    last = max(end for _start, end in pieces)
    if last > len(text):
        raise LineRefused(field, f"A mark ends at {last:,}, and the text has {len(text):,} characters.")
    has_pairs = len(_utf_16(text)) > 2 * len(text) and max(text[:last]) > "\uffff"
    note = UNCHECKED if has_pairs else ""
    return _with_words(text, tuple(pieces), field), note


def _with_words(text: str, spans: tuple[Span, ...], field: str) -> tuple[Span, ...]:
    for start, end in spans:
        if not text[start:end].strip():
            raise LineRefused(field, f"The mark at {_places([(start, end)])} has only spaces.")
    return spans


def _from_utf_16(text: str, pieces: Sequence[Span]) -> tuple[Span, ...]:
    """Places in UTF-16 units as code points; () if one is inside a character or beyond the end."""
    units = _utf_16(text)
    if len(units) == 2 * len(text) or any(2 * end > len(units) for _start, end in pieces):
        return ()
    try:
        found = [[len(units[: 2 * at].decode("utf-16-le")) for at in piece] for piece in pieces]
    except UnicodeDecodeError:
        return ()
    return tuple((start, end) for start, end in found)


@lru_cache(maxsize=1)
def _utf_16(text: str) -> bytes:
    """The text in UTF-16: many marks of one text are checked one after another."""
    return text.encode("utf-16-le")


def _plain(words: str, *, newline: str = "\n") -> str:
    """Words without what exports do to their line breaks."""
    return words.replace("\r\n", "\n").replace("\\n", "\n").replace("\n", newline)


def _places(pieces: Sequence[Span]) -> str:
    return ";".join(f"{start:,}–{end:,}" for start, end in pieces)


def quoted(text: str) -> str:
    """The beginning of a text in quotation marks, on one line."""
    text = text.replace("\n", " ")
    return f"“{text[:SHOWN]}…”" if len(text) > SHOWN else f"“{text}”"
