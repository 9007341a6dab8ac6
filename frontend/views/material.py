"""The material of a stage: the imported page in its frame, its images, and the search for quotes in it."""

from __future__ import annotations

import uuid as uuids

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation import html
from annotation.engine import loading
from annotation.engine.work import Work
from annotation.errors import NotFound
from annotation.html import Rendering
from annotation.values.records import DocumentRecord, ItemRecord
from annotation.values.sheets import PageFrame
from frontend import access, image_urls
from frontend.access.projects import or_not_found
from frontend.experts import marks
from frontend.requests import AuthedRequest, file_view, page_view
from frontend.work import frames
from frontend.work.csp import allow_in_frame
from frontend.work.forms import filling
from tasks.disputes import deciding

PAGE = "text/html"


@page_view
def page(request: AuthedRequest, uuid: uuids.UUID, step: str) -> HttpResponse:
    """The sandboxed document with the page, or the box of it, that the stage's sheet shows."""
    _, rendering, shown = _material(request, uuid, step)
    addresses = image_urls.folder_url(request, uuid, step) if shown.pictures else ""
    pictures = {one.at: html.ImageToShow(f"{addresses}{one.place}/", one.width, one.height) for one in shown.pictures}
    if shown.marked is not None:
        return frames.read_document(request, rendering, shown.marked, pictures, source=addresses)
    return frames.page_document(request, rendering, shown, pictures, source=addresses)


@page_view
def whole_page(request: AuthedRequest, slug: str, activity: str, item_id: int) -> HttpResponse:
    """The imported page of an item, for experts who compare answers: without script, with every side's box and words
    marked, and those of the letter `side` to scroll to; with `references` the answers of experts, too."""
    found, kind = access.compared_item(request.user, slug, activity, item_id)
    documents, side = loading.item_record(found).documents, request.GET.get("side", "")
    if not documents or documents[0].media_type != PAGE:
        raise NotFound
    task = deciding.task_of(found, activity) if "references" in request.GET else None
    written = deciding.references_of(task) if task is not None else ()
    rendering = documents[0].rendering()
    shown = marks.marked(rendering, found, kind, by=request.user, side=side, references=written)
    return frames.marked_document(request, shown, rendering)


@file_view
def image(request: AuthedRequest, uuid: uuids.UUID, step: str, place: int) -> HttpResponse:
    """An image of the stage's sheet; the browser may cache it for an hour, privately."""
    work = access.own_open_hold(request.user, uuid).work()
    if place not in work.sheet(step).images:
        raise NotFound
    response = frames.image(_item(work).documents[place])
    response["Cache-Control"] = "private, max-age=3600"
    return response


@never_cache
@require_GET
def picture(request: HttpRequest, uuid: uuids.UUID, step: str, token: str, place: int) -> HttpResponse:
    """An image of the page in the frame, or of the sheet, by its signed address: neither the frame nor whoever works by
    script sends a cookie.
    """
    work = access.pictured_hold(uuid, step, token).work()
    sheet = work.sheet(step)
    if place in sheet.images:
        return allow_in_frame(frames.image(_item(work).documents[place]))
    if sheet.frame is None or place not in {one.place for one in sheet.frame.pictures}:
        raise NotFound
    return allow_in_frame(frames.image(work.record.documents[place]))


@page_view
def find_quote(request: AuthedRequest, uuid: uuids.UUID, step: str) -> JsonResponse:
    """Where a pasted quote occurs in what the sheet shows: tokens of the box, or code points of one of its passages."""
    work = access.own_open_hold(request.user, uuid).work()
    return JsonResponse({"matches": filling.places_of_quote(work, step, request.GET.get("text", ""))})


def _item(work: Work) -> ItemRecord:
    """The item whose documents a sheet numbers."""
    return work.record.root or work.record


def _material(request: AuthedRequest, uuid: uuids.UUID, step: str) -> tuple[DocumentRecord, Rendering, PageFrame]:
    work: Work = access.own_open_hold(request.user, uuid).work()
    shown = or_not_found(work.sheet(step).frame)
    document = work.record.documents[shown.document]
    return document, document.rendering(shown.root), shown
