"""Render a page: serialise its visible tree in our own markup, verify it with a second sanitizer, locate its words."""

from __future__ import annotations

from dataclasses import replace

from annotation.documents.layout import Layout
from annotation.html import sanitizer
from annotation.html.candidates import candidate_boxes
from annotation.html.errors import PageRefused
from annotation.html.images import Image
from annotation.html.limits import check_size, check_tokens
from annotation.html.rendering import Rendering
from annotation.html.sanitizer import language_and_direction
from annotation.html.scanner import Scan
from annotation.html.serializer import Writer, Written
from annotation.html.tree import Structure
from annotation.html.word_offsets import find_words


def render(source: bytes, layout: Layout, *, root: int | None = None) -> Rendering:
    """The page as a safe fragment of HTML; with `root`, only that candidate, wrapped in the list or table it needs.

    `data-c` on an element is its candidate's index; candidates without an element of their own have none. Raises
    PageRefused if the page is over the limits, can't be serialised so that it parses back the same, or doesn't show
    `root` (also after a later version hides it), and IndexError for a `root` that doesn't exist.
    """
    check_size(source)
    check_tokens(len(layout.tokens))
    if root is not None and not 0 <= root < len(layout.candidates):
        raise IndexError(f"The layout has no candidate {root}.")
    scan = Scan(source)
    return render_scan(scan, Structure(scan), layout, root=root)


def render_scan(scan: Scan, structure: Structure, layout: Layout, *, root: int | None = None) -> Rendering:
    """`render` for a page that is scanned and parsed already."""
    written = _write(scan, structure, layout, root)
    words = find_words(scan, structure, layout, written.places)
    html, text = "".join(written.parts), "".join(written.runs)
    page = Rendering(html, text, tuple(written.headings), (), words, images=tuple(written.images))
    candidates = candidate_boxes(scan, layout, page)
    lang, direction = language_and_direction(scan.root())
    shown = page if root is None else _part(written, page, root)
    return replace(shown, candidates=candidates, lang=lang, dir=direction)


def check_shown(scan: Scan, structure: Structure, layout: Layout) -> tuple[str, tuple[Image, ...]]:
    """The text and the images that name a file; PageRefused if `render` would raise it. Takes a third of its time."""
    written = _write(scan, structure, layout, None)
    return "".join(written.runs), tuple(written.images)


def _write(scan: Scan, structure: Structure, layout: Layout, root: int | None) -> Written:
    """Serialise the page so that parsing gives the same tree: with its own elements, else with div and span only."""
    for flat in (False, True):
        written = Writer(scan, structure, layout, root=root, flat=flat).write()
        html = "".join(written.parts)
        if sanitizer.clean(html) == html:
            return written
    raise PageRefused("The page is built in a way that cannot be shown faithfully.")


def _part(written: Written, page: Rendering, root: int) -> Rendering:
    """One candidate of a serialised page as a fragment of its own."""
    extent = written.extents.get(root)
    if extent is None:
        raise PageRefused("The box is not shown on the page.")
    (first, after), (start, end) = extent.parts, extent.units
    before = "".join(written.around)
    behind = "".join(f"</{tag[1:-1].split(' ')[0]}>" for tag in reversed(written.around))
    html = before + "".join(written.parts[first:after]) + behind
    if sanitizer.clean(html) != html:
        raise PageRefused("The box is built in a way that cannot be shown faithfully.")
    inside = {f"gf-h{n}" for n, part in enumerate(written.heading_parts, 1) if first <= part < after}
    return Rendering(
        html=html,
        text="".join(written.runs[slice(*extent.runs)]),
        headings=tuple(heading for heading in page.headings if heading.id in inside),
        candidates=(),
        words=tuple((token, a - start, b - start) for token, a, b in page.words if start <= a and b <= end),
        images=tuple(image for image in page.images if f'data-i="{image.at}"' in html),
    )
