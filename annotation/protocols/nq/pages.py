"""Parse and check the pages of an import file, with an LRU cache, since many lines share a page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from annotation.documents.layout import SIMPLIFIED, Layout
from annotation.parsing.incoming import ImportSource, IncomingDocument
from annotation.protocols.nq import images
from annotation.protocols.nq.schemas import PageImage

CANT_BE_SHOWN = "This page can't be shown. {}"
"""The note on a published page that breaks a limit of raw ones; it is kept for its annotations."""
NO_BOX = "The page has no box: no paragraph, list or table with words. Nobody can choose a long answer on it."
LINE_ENDS = "Its line ends (CR LF or CR) became line feeds, and releases have it so: byte offsets count these."
"""The note on a raw page that is not kept byte for byte."""
KEPT_BYTES = 32 * 1024 * 1024
"""Size of the cache in memory, roughly."""
TOKEN_BYTES = 200
"""Memory of a token, or of a candidate: a tuple and its numbers; frequent words are shared."""


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
    images: tuple[PageImage, ...] = ()
    pictures: tuple[IncomingDocument, ...] = ()

    @property
    def weight(self) -> int:
        """Its size in memory, roughly: its bytes, those of its images, and its layout."""
        sources = len(self.source) + sum(len(picture.source) for picture in self.pictures)
        return sources + TOKEN_BYTES * (len(self.layout.tokens) + len(self.layout.candidates))


class Pages:
    """An LRU cache of parsed pages, bounded by their size in memory."""

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
        """The page of a published record, unchanged, with the record's own layout; a note says if it can't be shown."""
        key = b"original" + sha256(data).digest() + sha256(layout.to_bytes()).digest()
        return self.get(key, lambda: _original(data, layout))

    def simplified(self, text: bytes, layout: Layout) -> ParsedPage:
        """The text of a simplified record with its layout; raises ValueError for a wrong candidate."""
        key = b"simplified" + sha256(text).digest() + sha256(layout.to_bytes()).digest()
        return self.get(key, lambda: _simplified(text, layout))


def _raw(data: bytes, source: ImportSource, folder: str) -> ParsedPage:
    from annotation import html

    # This refuses a page that can't be shown at import, not after somebody has claimed it.
    page, layout, shown = html.take_in(data)
    found = images.find_images(source, folder, shown)
    notes = [f"Converted from {page.encoding} to UTF-8."] if page.encoding != "UTF-8" else []
    notes += [LINE_ENDS] if b"\r" in data else []
    notes += [*([] if layout.candidates else [NO_BOX]), *found.notes]
    return ParsedPage(
        page.source,
        layout,
        page.lang,
        page.dir,
        page.title,
        notes=tuple(notes),
        images=found.images,
        pictures=found.pictures,
    )


def _original(data: bytes, layout: Layout) -> ParsedPage:
    from annotation import html

    notes = html.check_layout(data, layout)
    lang, direction = html.language_of(data)
    title = ""
    try:
        page, reason = html.open_published(data, layout)
        lang, direction, title = page.lang, page.dir, page.title
    except html.PageRefused as refused:
        reason = refused.reason
    if reason:
        notes.append(CANT_BE_SHOWN.format(reason))
    return ParsedPage(data, layout, lang, direction, title, notes=tuple(notes))


def _simplified(text: bytes, layout: Layout) -> ParsedPage:
    from annotation import html

    # Checks that the page synthesised from the text can be shown. It is not stored, but synthesised again when needed.
    source, made = html.synthesise([token.text for token in layout.tokens], layout.candidates)
    notes = html.check_layout(source, made)
    try:
        html.open_page(source)
    except html.PageRefused as error:
        notes.append(CANT_BE_SHOWN.format(error.reason))
    return ParsedPage(text, layout, media_type=SIMPLIFIED, notes=tuple(notes))
