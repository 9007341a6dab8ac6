"""What one person may see at a step: the sheet, the imported page in a frame, its images, its boxes and headings.

The API describes the fields of sheets: so boxes and headings are here, where no library of pages is imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.documents.words import length_of


@dataclass(frozen=True)
class Picture:
    """An image in a page: the first byte of its tag, its index among the item's documents, its size in pixels."""

    at: int
    place: int
    width: int
    height: int


@dataclass(frozen=True)
class PageFrame:
    """The imported page that a stage shows.

    `document`: its index; `root`: the only candidate to show (None: the whole page); `words`: spans are picked in it;
    `pictures`: the images in the part that is shown; `marked`: it is
    only read, with these tokens marked, half-open (None: no such page).
    """

    document: int = 0
    root: int | None = None
    words: bool = False
    pictures: tuple[Picture, ...] = ()
    marked: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Everything that one person may see now: templates, API and bots get nothing else. Protocols subclass it.

    `images`: indexes of its images among the documents of the item or its root.
    """

    stage: str
    prompt: str
    lang: str = ""
    dir: str = ""
    frame: PageFrame | None = None
    images: tuple[int, ...] = ()

    @property
    def about(self) -> str:
        """What the work is called on its person's home page; override it if several prompts share their material."""
        return self.prompt

    @property
    def word_count(self) -> int:
        """How many words there are to read, which sets the reading time allowed; override it to count the material."""
        return length_of(self.prompt).n

    @property
    def passages(self) -> tuple[str, ...] | None:
        """The texts in which spans can be marked and pasted quotes are looked up; None if a frame shows the text."""
        return None


@dataclass(frozen=True, kw_only=True)
class PassageSheet(Sheet):
    """A text in which words can be marked, with its title if it has one; "" for whoever does not get it."""

    text: str = ""
    title: str = ""

    @property
    def word_count(self) -> int:
        """The words of the prompt and of the text."""
        return super().word_count + length_of(self.text).n

    @property
    def passages(self) -> tuple[str, ...]:
        """The text, if there is one."""
        return (self.text,) if self.text else ()

    def span_at(self, start: int, end: int) -> dict[str, Any]:
        """These code points of the text as a marked span, for whoever makes up an answer."""
        return {"passage": 0, "start": start, "end": end, "quote": self.text[start:end]}

    def span_of(self, quote: str) -> dict[str, Any]:
        """The same of the first place with these words; LookupError if there is none."""
        start = self.text.find(quote)
        if start < 0:
            raise LookupError(f"The text does not have the words {quote!r}.")
        return self.span_at(start, start + len(quote))


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
