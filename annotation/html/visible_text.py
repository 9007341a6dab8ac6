"""Extract the visible text of a byte range of the original page, without rendering it."""

from __future__ import annotations

from annotation.html.rendering import squeeze
from annotation.html.scanner import TEXT, Scan
from annotation.html.tree import BLOCKS


def cut(source: bytes, start_byte: int, end_byte: int) -> str:
    """The visible text of source[start_byte:end_byte], white space squeezed and stripped.

    Markup is dropped, character references are resolved, and what `render` hides is hidden; a block's tag or a line
    break counts as white space. The range must begin and end in visible parts of the page, as words and boxes do, since
    nothing outside it is read. ValueError if it is out of bounds or splits a character.
    """
    if not 0 <= start_byte <= end_byte <= len(source):
        raise ValueError(f"There are no bytes {start_byte} to {end_byte} in a page of {len(source)} bytes.")
    scan = Scan(source[start_byte:end_byte])
    parts = []
    for event in scan.events:
        if not event.shown:
            continue
        if event.kind == TEXT:
            parts.append(scan.decode(event))
        elif event.name in BLOCKS:
            parts.append(" ")
    return squeeze("".join(parts))
