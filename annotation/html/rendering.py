"""A page, or one of its boxes, as a safe fragment of HTML with the offsets of its words, and its images.

Images that name a file beside the page are found, and placeholders are replaced with stored images. A cached rendering
has placeholders only, since items with different images share it. The placeholder of an image that names a file carries
the image's byte offset in the source; `with_pictures` fills it in when the page is served.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote, urlsplit

import orjson

from annotation.values.sheets import Box, Heading

ADDRESS_LIMIT = 500
"""Characters of an address; a longer one is not looked up as a file."""
SIDE_LIMIT = 4096
"""Pixels; larger stated widths are ignored."""

_BOX = re.compile(r'<span class="gf-(?:image|formula)" data-i="(\d+)"([^>]*)></span>')
"""What `sanitizer.placeholder` writes for an image that names a file. A regex is safe: < and > are always escaped."""
_LABEL = re.compile(r' aria-label="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Image:
    """An image that names a file: its byte offset in the source, the file, and the stated width (0 for none)."""

    at: int
    file: str
    width: int = 0


@dataclass(frozen=True, slots=True)
class ImageToShow:
    """An image to be shown: an address that the reader may request, width and height in CSS pixels."""

    url: str
    width: int
    height: int


def file_of(address: str) -> str:
    """The file that an image's address names, relative to the page; "" for absolute URLs, also without a scheme."""
    address = address.strip()
    if not address or len(address) > ADDRESS_LIMIT or address[0] in "/\\":
        return ""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return "" if parts.scheme or parts.netloc else unquote(parts.path)


def stated_width(value: str | None) -> int:
    """A width attribute in pixels; 0 if it is missing, invalid, a percentage or over SIDE_LIMIT."""
    value = (value or "").strip().removesuffix("px")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 5 and int(value) <= SIDE_LIMIT else 0


def with_pictures(html: str, pictures: Mapping[int, ImageToShow]) -> str:
    """A rendering's HTML with <img> for the placeholders at these byte offsets; the others lose their `data-i`."""

    def write(box: re.Match[str]) -> str:
        picture = pictures.get(int(box[1]))
        if picture is None:
            return box[0].replace(f' data-i="{box[1]}"', "", 1)
        label = _LABEL.search(box[2])
        return (
            f'<img class="gf-picture" src="{picture.url}" alt="{label[1] if label else ""}" width="{picture.width}"'
            f' height="{picture.height}" loading="lazy" decoding="async" draggable="false">'
        )

    return _BOX.sub(write, html)


__all__ = ["RENDERER", "Box", "Heading", "Rendering", "squeeze"]
RENDERER = "4"
"""Version of the output of `render`; part of the cache key of a rendering."""


@dataclass(frozen=True)
class Rendering:
    """A fragment of HTML with its text and the offsets of its words.

    `text` is the textContent of `html` in a browser. `words` has (token index, start, end) for each shown word,
    half-open in UTF-16 code units of `text`, as browsers count. `candidates` has a box for every candidate of the
    layout, even if the fragment shows only one of them; don't show the whole list to annotators then. `images` are
    those that name a file, in order. `lang` and `dir` are those of the page's html element ("" if it has none).
    """

    html: str
    text: str
    headings: tuple[Heading, ...]
    candidates: tuple[Box, ...]
    words: tuple[tuple[int, int, int], ...]
    lang: str = ""
    dir: str = ""
    images: tuple[Image, ...] = ()

    def quote(self, start_token: int, end_token: int) -> str:
        """The shown text from the first to the last shown word of a half-open range of tokens, white space squeezed.

        "" if none of them is shown in this fragment.
        """
        first, last = self._index.get(start_token), self._index.get(end_token - 1)
        if first is None or last is None:
            inside = [word for word in self.words if start_token <= word[0] < end_token]
            if not inside:
                return ""
            first, last = inside[0], inside[-1]
        return squeeze(self.cut(first[1], last[2]))

    def cut(self, start: int, end: int) -> str:
        """The text between two offsets in UTF-16 code units."""
        if self._wide is None:
            return self.text[start:end]
        return self._wide[2 * start : 2 * end].decode("utf-16-le")

    def shows(self, token: int) -> bool:
        """Whether this fragment shows the token as a word."""
        return token in self._index

    @cached_property
    def _index(self) -> dict[int, tuple[int, int, int]]:
        return {word[0]: word for word in self.words}

    @cached_property
    def _wide(self) -> bytes | None:
        """The text in UTF-16 if it has characters outside the BMP, else None."""
        wide = not self.text.isascii() and max(self.text) > "\uffff"
        return self.text.encode("utf-16-le") if wide else None

    def to_bytes(self) -> bytes:
        """As JSON."""
        return orjson.dumps({"renderer": RENDERER} | {name: getattr(self, name) for name in self.__dataclass_fields__})

    @classmethod
    def from_bytes(cls, data: bytes) -> Rendering:
        """The rendering that `to_bytes` wrote; ValueError if it is of another version of the renderer."""
        raw = orjson.loads(data)
        if raw.get("renderer") != RENDERER:
            raise ValueError(f"This was rendered by version {raw.get('renderer')}, not {RENDERER}.")
        return cls(
            html=raw["html"],
            text=raw["text"],
            headings=tuple(Heading(**heading) for heading in raw["headings"]),
            candidates=tuple(Box(**box | {"heading_path": tuple(box["heading_path"])}) for box in raw["candidates"]),
            words=tuple(tuple(word) for word in raw["words"]),
            lang=raw["lang"],
            dir=raw["dir"],
            images=tuple(Image(**image) for image in raw["images"]),
        )


def squeeze(text: str) -> str:
    """Collapse runs of white space to one space and strip the ends."""
    return " ".join(text.split())
