"""An item as annotators see it, for its leads: each screen, the imported page in its frame, images."""

from __future__ import annotations

from base64 import b64encode

from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotation import html
from annotation.engine import made_up
from annotation.engine.made_up import WorkScreen
from annotation.errors import NotFound
from annotation.values.sheets import Picture
from frontend import access
from frontend.access.projects import or_not_found
from frontend.leads.items import as_seen
from frontend.requests import AuthedRequest, page_view
from frontend.work import frames
from frontend.work.csp import allow_frame, forbid_sending


@page_view
def first(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """To the first screen of the item."""
    place = or_not_found(as_seen.first_address(access.led_item(request.user, slug, item_id)))
    response = redirect("as_seen", slug, item_id, *place)
    if request.META["QUERY_STRING"]:
        response["Location"] += f"?{request.GET.urlencode()}"
    return response


@page_view
def show(request: AuthedRequest, slug: str, item_id: int, activity: str, seat: str, step: str) -> HttpResponse:
    """One screen, in the protocol's own template; the page may send nothing."""
    item = access.led_item(request.user, slug, item_id)
    screen = made_up.screen_at(item, activity, seat, step)
    response = render(request, as_seen.template_of(screen), as_seen.context_of(item, screen, request.GET.urlencode()))
    return forbid_sending(allow_frame(request, response))


@page_view
def page(request: AuthedRequest, slug: str, item_id: int, activity: str, seat: str, step: str) -> HttpResponse:
    """The sandboxed document with what the screen shows of the imported page, its images inside."""
    screen = made_up.screen_at(access.led_item(request.user, slug, item_id), activity, seat, step)
    frame = or_not_found(screen.sheet().frame)
    rendering = screen.context.item.documents[frame.document].rendering(frame.root)
    pictures = {one.at: html.ImageToShow(_inside(screen, one), one.width, one.height) for one in frame.pictures}
    return frames.page_document(request, rendering, frame, pictures, source="data:" if pictures else "")


def _inside(screen: WorkScreen, picture: Picture) -> str:
    """The image as an address that holds it: the frame sends no cookie, and a signed address could be given away."""
    found = frames.checked_image(screen.context.item.documents[picture.place])
    return f"data:{found.media_type};base64,{b64encode(found.source).decode()}"


@page_view
def image(
    request: AuthedRequest, slug: str, item_id: int, activity: str, seat: str, step: str, place: int
) -> HttpResponse:
    """An image of the screen's sheet."""
    screen = made_up.screen_at(access.led_item(request.user, slug, item_id), activity, seat, step)
    if place not in screen.sheet().images:
        raise NotFound
    item = screen.context.item
    return frames.image((item.root or item).documents[place])
