"""Locate the words of a layout in the text of a rendered page."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right

from annotation.documents.layout import Layout
from annotation.html.scanner import Scan, is_simple
from annotation.html.tree import Structure


def find_words(scan: Scan, structure: Structure, layout: Layout, places: list[int]) -> tuple[tuple[int, int, int], ...]:
    """(token index, start, end) in UTF-16 code units of each word that is fully shown.

    `places` has the offset of each shown run of the source in the text, -1 if it is not in it. Tokens that begin or
    end outside shown text, or split a character, are left out.
    """
    runs = _Runs(scan, structure, places)
    words = []
    for index, token in enumerate(layout.tokens):
        if token.html or token.start >= token.end:
            continue
        start, end = runs.start(token.start), runs.end(token.end)
        if start is not None and end is not None and start < end:
            words.append((index, start, end))
    return tuple(words)


class _Runs:
    """The shown runs of text, found by byte."""

    def __init__(self, scan: Scan, structure: Structure, places: list[int]) -> None:
        self._scan = scan
        self._pieces = structure.pieces
        self._places = places
        self._starts = array("l", (scan.events[piece].start for piece in structure.pieces))
        self._tables: dict[int, tuple[dict[int, int], dict[int, int]] | None] = {}

    def start(self, byte: int) -> int | None:
        """The offset in the text of the character that starts at `byte`, or None."""
        return self._find(bisect_right(self._starts, byte) - 1, byte, end=False)

    def end(self, byte: int) -> int | None:
        """The offset in the text after the character that ends at `byte`, or None."""
        return self._find(bisect_left(self._starts, byte) - 1, byte, end=True)

    def _find(self, number: int, byte: int, *, end: bool) -> int | None:
        if number < 0 or self._places[number] < 0:
            return None
        event = self._scan.events[self._pieces[number]]
        if byte > event.end or (byte == event.end and not end):
            return None
        table = self._tables[number] if number in self._tables else self._table(number)
        if table is None:
            return self._places[number] + byte - event.start
        inside = table[end].get(byte)
        return None if inside is None else self._places[number] + inside

    def _table(self, number: int) -> tuple[dict[int, int], dict[int, int]] | None:
        """Maps from byte to text offsets in a run, for starts and ends of characters; None if they are the same."""
        event = self._scan.events[self._pieces[number]]
        text = self._scan.decode(event)
        self._tables[number] = None
        if not is_simple(event, text):
            starts: dict[int, int] = {}
            ends: dict[int, int] = {}
            at = 0
            for char, start, end in zip(text, *self._scan.offsets(event), strict=True):
                starts.setdefault(start, at)
                at += 2 if char > "\uffff" else 1
                ends[end] = at
            self._tables[number] = starts, ends
        return self._tables[number]
