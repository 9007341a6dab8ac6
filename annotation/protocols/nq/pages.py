"""Parse and check the pages of an import file, with an LRU cache, since many lines share a page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from annotation.documents.layout import SIMPLIFIED, Layout
from annotation.parsing.incoming import ImportSource, IncomingDocument
from annotation.protocols.nq import images
from annotation.protocols.nq.schemas import PageImage

if TYPE_CHECKING:
    from annotation.html import Rendering

KEPT_BYTES = 16 * 1024 * 1024
"""Size of the cache in source bytes; with the layouts it takes about ten times that in memory."""


@dataclass(frozen=True)
class ParsedPage:
    """A page with its layout. `lang`, `dir` and `title` are from its markup; `notes` name what is odd."""

    source: bytes
    layout: Layout
    lang: str = ""
    dir: str = ""
    title: str = ""
    media_type: str = "text/html"
    notes: tuple[str, ...] = ()
    rendering: Rendering | None = None
    images: tuple[PageImage, ...] = ()
    pictures: tuple[IncomingDocument, ...] = ()

    @property
    def weight(self) -> int:
        """Its source bytes, those of its images included."""
        return len(self.source) + sum(len(picture.source) for picture in self.pictures)


class Pages:
    """An LRU cache of parsed pages, bounded by the bytes of their sources."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._size = 0
        self._parsed: OrderedDict[bytes, ParsedPage] = OrderedDict()

    def get(self, key: bytes, make: Callable[[], ParsedPage]) -> ParsedPage:
        """The cached page of that key; a missing one is made and added."""
        if key in self._parsed:
            self._parsed.move_to_end(key)
            return self._parsed[key]
        page = make()
        self._parsed[key] = page
        self._size += page.weight
        while self._size > self._kept_bytes and len(self._parsed) > 1:
            self._size -= self._parsed.popitem(last=False)[1].weight
        return page

    def raw(self, data: bytes, source: ImportSource, folder: str) -> ParsedPage:
        """A project's own page, laid out by our tokeniser, with its images; raises PageRefused.

        `folder` is the folder of the page's file, to which the paths of its images are relative.
        """
        return self.get(b"raw" + sha256(data).digest() + folder.encode(), lambda: _raw(data, source, folder))

    def original(self, data: bytes, layout: Layout) -> ParsedPage:
        """The page of a published record, unchanged, with the record's own layout; raises PageRefused."""
        key = b"original" + sha256(data).digest() + sha256(layout.to_bytes()).digest()
        return self.get(key, lambda: _original(data, layout))

    def simplified(self, text: bytes, layout: Layout) -> ParsedPage:
        """The text of a simplified record with its layout; raises PageRefused, or ValueError for a wrong candidate."""
        key = b"simplified" + sha256(text).digest() + sha256(layout.to_bytes()).digest()
        return self.get(key, lambda: _simplified(text, layout))


def _raw(data: bytes, source: ImportSource, folder: str) -> ParsedPage:
    from annotation import html

    # Rendering it now refuses a page that can't be shown at import, not after somebody has claimed it.
    page, layout, rendering = html.take_in(data)
    found = images.find_images(source, folder, rendering.images)
    return ParsedPage(
        page.source,
        layout,
        page.lang,
        page.dir,
        page.title,
        notes=found.notes,
        rendering=rendering,
        images=found.images,
        pictures=found.pictures,
    )


def _original(data: bytes, layout: Layout) -> ParsedPage:
    from annotation import html

    page = html.open_page(data)
    notes, rendering = html.check_layout(data, layout), None
    try:
        rendering = html.render(data, layout)
    except html.PageRefused as error:
        # Keep it for its annotations.
        notes.append(f"This page can't be shown. {error.reason}")
    return ParsedPage(data, layout, page.lang, page.dir, page.title, notes=tuple(notes), rendering=rendering)


def _simplified(text: bytes, layout: Layout) -> ParsedPage:
    from annotation import html

    # Checks that the page synthesised from the text can be shown. It is not stored, but synthesised again when needed.
    source, made = html.synthesise([token.text for token in layout.tokens], layout.candidates)
    html.open_page(source)
    return ParsedPage(text, layout, media_type=SIMPLIFIED, notes=tuple(html.check_layout(source, made)))
