"""Images of a page: find those that name a file beside it, and replace placeholders with stored images.

A cached rendering has placeholders only, since items with different images share it. The placeholder of an image that
names a file carries the image's byte offset in the source; `with_pictures` fills it in when the page is served.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

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
