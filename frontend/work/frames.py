"""The sandboxed document that shows an imported page or a box of it, and images of an item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from annotation import html
from annotation.errors import NotFound
from annotation.html import Rendering
from annotation.values.records import DocumentRecord
from annotation.values.sheets import PageFrame
from frontend.work import csp
from frontend.work.csp import restrict_frame

IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")


def page_document(
    request: HttpRequest,
    rendering: Rendering,
    frame: PageFrame,
    pictures: Mapping[int, html.ImageToShow],
    *,
    source: str,
) -> HttpResponse:
    """What a stage shows of a page, with our script; `source`: where its pictures are from, "" if it has none."""
    title = gettext("The page") if frame.root is None else gettext("The box you chose")
    context = {"title": title, "boxed": frame.words, "script": csp.SCRIPT}
    return _document(request, html.with_pictures(rendering.html, pictures), rendering, context, source=source)


def read_document(
    request: HttpRequest,
    rendering: Rendering,
    marked: Sequence[tuple[int, int]],
    pictures: Mapping[int, html.ImageToShow],
    *,
    source: str,
) -> HttpResponse:
    """A part of a page that is only read, without script, with words marked in it; `source` as for `page_document`."""
    page = html.with_marks(rendering, {}, [(tokens, "") for tokens in marked])
    context = {"title": gettext("The passage"), "boxed": True, "scrolls": True}
    return _document(request, html.with_pictures(page, pictures), rendering, context, source=source)


def marked_document(request: HttpRequest, marked: str, rendering: Rendering) -> HttpResponse:
    """A whole page without script, `marked` by experts' pages with letters and our own tags."""
    return _document(request, marked, rendering, {"title": gettext("The page"), "boxed": True}, source="")


def _document(
    request: HttpRequest, page: str, rendering: Rendering, context: Mapping[str, object], *, source: str
) -> HttpResponse:
    whole = {
        # Sanitised twice in annotation.html, in a sandbox.
        "page": mark_safe(page),  # noqa: S308
        "lang": rendering.lang,
        "dir": rendering.dir,
        "style": csp.STYLE,
    }
    return restrict_frame(render(request, "work/page.html", {**whole, **context}), pictures=source)


def checked_image(document: DocumentRecord) -> DocumentRecord:
    """The document, if it is an image that browsers show; else NotFound."""
    if document.media_type not in IMAGES:
        raise NotFound
    return document


def image(document: DocumentRecord) -> HttpResponse:
    """An image; NotFound for anything else."""
    found = checked_image(document)
    return HttpResponse(found.source, content_type=found.media_type)


def image_to_keep(data: bytes, media_type: str) -> HttpResponse:
    """An image by its bytes, which the browser may cache for an hour, privately; NotFound for another type."""
    if media_type not in IMAGES:
        raise NotFound
    return HttpResponse(data, content_type=media_type, headers={"Cache-Control": "private, max-age=3600"})
