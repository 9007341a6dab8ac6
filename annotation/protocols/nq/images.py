"""Find and check the image files that a raw page names relative to its own folder; each file is stored once."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from annotation.documents.images import ImageAllowance, ImageRefused, Size
from annotation.documents.layout import WHOLE, Layout
from annotation.parsing.incoming import ImportSource, IncomingDocument
from annotation.parsing.sources import TooLarge
from annotation.protocols.nq.schemas import PageImage

if TYPE_CHECKING:
    from annotation.html import Image

NAMED = 5
"""How many files left out for the same reason a note names; the rest are counted."""
NAME_LENGTH = 80

_WHOLE = Layout(WHOLE)


@dataclass
class FoundImages:
    """Images of a page by place, the documents at those places (from 1), and notes for the import report."""

    images: tuple[PageImage, ...] = ()
    pictures: tuple[IncomingDocument, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class _Search:
    """The files looked for so far: those found, and those left out, by reason."""

    source: ImportSource
    sizes: dict[str, tuple[int, Size]] = field(default_factory=dict)
    pictures: list[IncomingDocument] = field(default_factory=list)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)
    allowance: ImageAllowance = field(default_factory=ImageAllowance)

    def look_for(self, path: str) -> None:
        """Read and check one file; does nothing the second time."""
        if path in self.tried:
            return
        self.tried.add(path)
        try:
            data, kind, size = self._read_image(path)
        except ImageRefused as refused:
            self.left_out.setdefault(refused.reason, []).append(path)
            return
        self.pictures.append(IncomingDocument(data, kind, _WHOLE, title=path))
        self.sizes[path] = (len(self.pictures), size)

    def _read_image(self, path: str) -> tuple[bytes, str, Size]:
        self.allowance.count_file()
        if path.startswith("../"):
            raise ImageRefused("outside the folder")
        try:
            data = self.source.resource(path)
        except TooLarge:
            raise ImageRefused("too large, or compressed to less than a hundredth of its size") from None
        except LookupError:
            raise ImageRefused("missing or unreadable") from None
        return data, *self.allowance.check(data)


def find_images(source: ImportSource, folder: str, images: Sequence[Image]) -> FoundImages:
    """Look for the image files that a page names. The page is never refused for one: its box and alt text remain."""
    search = _Search(source)
    placed = []
    for image in images:
        path = posixpath.normpath(posixpath.join(folder, image.file))
        search.look_for(path)
        if path in search.sizes:
            place, size = search.sizes[path]
            placed.append(PageImage(at=image.at, place=place, **_shown_size(size, image.width)))
    return FoundImages(tuple(placed), tuple(search.pictures), tuple(_notes(search.left_out)))


def _shown_size(size: Size, stated: int) -> dict[str, int]:
    """Displayed width and height: the width that the page states, or else the file's, in the file's proportions."""
    width = stated or size.width
    return {"width": width, "height": max(1, round(size.height * width / size.width))}


def _notes(left_out: dict[str, list[str]]) -> list[str]:
    note = "Images left out ({}): {}. Their alt texts are shown instead."
    return [note.format(reason, _names(paths)) for reason, paths in left_out.items()]


def _names(paths: list[str]) -> str:
    names = ", ".join(path if len(path) <= NAME_LENGTH else path[: NAME_LENGTH - 1] + "…" for path in paths[:NAMED])
    return f"{names} and {len(paths) - NAMED} more" if len(paths) > NAMED else names
