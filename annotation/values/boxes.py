"""Boxes and headings of a page, described for display.

They are fields of sheets, which the API describes: so they are here, where no library of pages is imported.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the fragment; `id` is its element's id, `start_byte` the offset of its tag in the source."""

    level: int
    text: str
    id: str
    start_byte: int


@dataclass(frozen=True, slots=True)
class Box:
    """One candidate, described for display. `position` counts from 1 among its parent's boxes of the same kind."""

    index: int
    kind: str
    words: int
    parent: int | None
    position: int
    heading_path: tuple[str, ...]
    excerpt: str
