"""Import the image files that a raw page names: look them up relative to the page, check them, store each once."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from annotation.documents.images import Allowance, ImageRefused, Size
from annotation.documents.layout import WHOLE, Layout
from annotation.parsing.incoming import ImportSource, IncomingDocument
from annotation.parsing.sources import TooLarge
from annotation.protocols.nq.schemas import PageImage

if TYPE_CHECKING:
    from annotation.html import Image

NAMED = 5
"""Files named per reason in a note; the others are only counted."""
NAME_LENGTH = 80

_WHOLE = Layout(WHOLE)


@dataclass
class Beside:
    """What was found for a page: images by place, the documents at those places (from 1), and notes for the report."""

    images: tuple[PageImage, ...] = ()
    pictures: tuple[IncomingDocument, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class _Search:
    """The files asked for so far: what was found, and what was not, by reason."""

    source: ImportSource
    found: dict[str, tuple[int, Size]] = field(default_factory=dict)
    pictures: list[IncomingDocument] = field(default_factory=list)
    troubles: dict[str, list[str]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    allowance: Allowance = field(default_factory=Allowance)

    def look_for(self, path: str) -> None:
        """Find and check one file, once."""
        if path in self.asked:
            return
        self.asked.add(path)
        try:
            data, kind, size = self._taken(path)
        except ImageRefused as refused:
            self.troubles.setdefault(refused.reason, []).append(path)
            return
        self.pictures.append(IncomingDocument(data, kind, _WHOLE, title=path))
        self.found[path] = (len(self.pictures), size)

    def _taken(self, path: str) -> tuple[bytes, str, Size]:
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


def beside(source: ImportSource, folder: str, images: Sequence[Image]) -> Beside:
    """Look up the image files of a page. A bad one never refuses the page: its placeholder and alt text remain."""
    search = _Search(source)
    placed = []
    for image in images:
        path = posixpath.normpath(posixpath.join(folder, image.file))
        search.look_for(path)
        if path in search.found:
            place, size = search.found[path]
            placed.append(PageImage(at=image.at, place=place, **_shown(size, image.width)))
    return Beside(tuple(placed), tuple(search.pictures), tuple(_notes(search.troubles)))


def _shown(size: Size, stated: int) -> dict[str, int]:
    """Width and height on the page: as wide as the page says, else as the file is, and always in its proportions."""
    width = stated or size.width
    return {"width": width, "height": max(1, round(size.height * width / size.width))}


def _notes(troubles: dict[str, list[str]]) -> list[str]:
    said = "Images left out ({}): {}. Their texts are shown instead."
    return [said.format(reason, _names(paths)) for reason, paths in troubles.items()]


def _names(paths: list[str]) -> str:
    names = ", ".join(path if len(path) <= NAME_LENGTH else path[: NAME_LENGTH - 1] + "…" for path in paths[:NAMED])
    return f"{names} and {len(paths) - NAMED} more" if len(paths) > NAMED else names
