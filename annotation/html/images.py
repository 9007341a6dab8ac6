"""Images of a page: which of them name a file beside it, and how a stored one takes the place of its empty box.

The rendering of a page never holds an image: many items share it, and each may have other images. Where an image names
a file, its box carries its first byte in the source, and `with_pictures` writes the image there for one reader.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

ADDRESS_LIMIT = 500
"""Characters of an address: longer ones name no file."""
SIDE_LIMIT = 4096
"""Pixels: a page that states a larger width or height is not heard."""

_BOX = re.compile(r'<span class="gf-(?:image|formula)" data-i="(\d+)"([^>]*)></span>')
"""How `markup.placeholder` writes the box of an image that names a file. No text or value of a page holds < or >."""
_LABEL = re.compile(r' aria-label="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Image:
    """An image that names a file: its first byte in the source, the file, and the width that the page states (0)."""

    at: int
    file: str
    width: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown in an image's place: an address that the reader may ask, width and height in CSS pixels."""

    url: str
    width: int
    height: int


def file_of(address: str) -> str:
    """The file, relative to the page's own, that an image's address names; "" if it is on a host or in the address."""
    address = address.strip()
    if not address or len(address) > ADDRESS_LIMIT or address[0] in "/\\":
        return ""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return "" if parts.scheme or parts.netloc else unquote(parts.path)


def stated_width(value: str | None) -> int:
    """A width attribute in pixels; 0 where it is missing, wrong, in percent or beyond reason."""
    value = (value or "").strip().removesuffix("px")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 5 and int(value) <= SIDE_LIMIT else 0


def with_pictures(html: str, shown: Mapping[int, Shown]) -> str:
    """A rendering's HTML with images in place of the boxes at these bytes. Other boxes lose their number."""

    def write(box: re.Match[str]) -> str:
        picture = shown.get(int(box[1]))
        if picture is None:
            return box[0].replace(f' data-i="{box[1]}"', "", 1)
        label = _LABEL.search(box[2])
        return (
            f'<img class="gf-picture" src="{picture.url}" alt="{label[1] if label else ""}" width="{picture.width}"'
            f' height="{picture.height}" loading="lazy" decoding="async" draggable="false">'
        )

    return _BOX.sub(write, html)
