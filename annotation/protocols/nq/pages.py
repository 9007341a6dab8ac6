"""An LRU cache of the pages in one import file: a page shared by several lines is tokenized and checked once."""

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
"""Source bytes of cached pages; with their layouts they take about ten times that in memory."""


@dataclass(frozen=True)
class Cut:
    """A page with its layout. `lang`, `dir` and `title` are what the page says of itself; `notes` what is odd."""

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
        """Bytes that it holds, its images included."""
        return len(self.source) + sum(len(picture.source) for picture in self.pictures)


class Pages:
    """LRU cache of pages with their layouts, bounded by source bytes."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._size = 0
        self._cuts: OrderedDict[bytes, Cut] = OrderedDict()

    def get(self, key: bytes, make: Callable[[], Cut]) -> Cut:
        """The page of that key, made on first sight."""
        if key in self._cuts:
            self._cuts.move_to_end(key)
            return self._cuts[key]
        cut = make()
        self._cuts[key] = cut
        self._size += cut.weight
        while self._size > self._kept_bytes and len(self._cuts) > 1:
            self._size -= self._cuts.popitem(last=False)[1].weight
        return cut

    def raw(self, data: bytes, source: ImportSource, folder: str) -> Cut:
        """A raw page, tokenized by us, with its images; raises PageRefused.

        `folder` is the folder of the page's file, to which the images' paths are relative.
        """
        return self.get(b"raw" + sha256(data).digest() + folder.encode(), lambda: _raw(data, source, folder))

    def original(self, data: bytes, layout: Layout) -> Cut:
        """A page of a published record, byte for byte as it came, with the record's own layout; raises PageRefused."""
        key = b"original" + sha256(data).digest() + sha256(layout.to_bytes()).digest()
        return self.get(key, lambda: _original(data, layout))

    def simplified(self, text: bytes, layout: Layout) -> Cut:
        """The text of a simplified record with its layout; raises PageRefused, ValueError for a wrong candidate."""
        key = b"simplified" + sha256(text).digest() + sha256(layout.to_bytes()).digest()
        return self.get(key, lambda: _simplified(text, layout))


def _raw(data: bytes, source: ImportSource, folder: str) -> Cut:
    from annotation import html

    # Render it now: a page that can't be shown must be refused here, not when somebody has claimed it.
    page, layout, rendering = html.take_in(data)
    beside = images.beside(source, folder, rendering.images)
    return Cut(
        page.source,
        layout,
        page.lang,
        page.dir,
        page.title,
        notes=beside.notes,
        rendering=rendering,
        images=beside.images,
        pictures=beside.pictures,
    )


def _original(data: bytes, layout: Layout) -> Cut:
    from annotation import html

    page = html.open_page(data)
    notes, rendering = html.check_layout(data, layout), None
    try:
        rendering = html.render(data, layout)
    except html.PageRefused as error:
        # Its annotations are worth keeping anyway.
        notes.append(f"This page can't be shown to people. {error.reason}")
    return Cut(data, layout, page.lang, page.dir, page.title, notes=tuple(notes), rendering=rendering)


def _simplified(text: bytes, layout: Layout) -> Cut:
    from annotation import html

    # Check that the page to be shown is valid; it is not stored but synthesised again when needed.
    source, made = html.synthesise([token.text for token in layout.tokens], layout.candidates)
    html.open_page(source)
    return Cut(text, layout, media_type=SIMPLIFIED, notes=tuple(html.check_layout(source, made)))
