"""What an import keeps though it is odd: equal sentences once, with how often they were said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

NOTES_AT_MOST = 1000
"""Sentences that are kept; how often others are said is only counted."""


class ImportNote(NamedTuple):
    """A sentence, the line that it is about first, and about how many lines or items it was said."""

    line: int
    text: str
    times: int


class ImportNotes:
    """The notes of an import, in the order of the lines that they are about. `total`: all, also what is not kept."""

    def __init__(self) -> None:
        self._kept: dict[str, list[int]] = {}
        self.total = 0

    def add(self, line: int, sentences: Iterable[str]) -> None:
        """Count these sentences about a line; a new one is kept while there is room."""
        for text in sentences:
            self.total += 1
            if text in self._kept:
                self._kept[text][1] += 1
            elif len(self._kept) < NOTES_AT_MOST:
                self._kept[text] = [line, 1]

    def __iter__(self) -> Iterator[ImportNote]:
        return iter(sorted(ImportNote(line, text, times) for text, (line, times) in self._kept.items()))

    @property
    def not_kept(self) -> int:
        """How many were said that no kept sentence says."""
        return self.total - sum(note.times for note in self)
