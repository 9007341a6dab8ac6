"""Taking in a raw page whole, reading it once: what it says of itself, its layout and how it is shown."""

from __future__ import annotations

from annotation.documents.layout import Layout
from annotation.html.drawing import drawn
from annotation.html.laying_out import laid_out
from annotation.html.pages import Page, read_page
from annotation.html.rendering import Rendering


def take_in(data: bytes) -> tuple[Page, Layout, Rendering]:
    """`open_page`, `lay_out` and `render` of one page in half of their time; PageRefused as they raise it."""
    page, scan, structure, marks = read_page(data)
    layout = laid_out(scan, structure, marks)
    return page, layout, drawn(scan, structure, layout)
