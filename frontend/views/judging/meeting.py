"""The room of a meeting: look, do something with an exhibit, leave; choose the chair, remove a voter, end it."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock
from annotation.engine import loading
from annotation.models import Removal, RoundState
from annotation.values.exhibits import ShownExhibit
from frontend import access
from frontend.access.projects import or_not_found
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.views.telling import refusal_told
from frontend.work import frames, page_time
from frontend.work.csp import allow_frame, allow_socket
from frontend.work.meetings import acts
from frontend.work.meetings.room import lead_page, room_of
from tasks.judging import ending
from tasks.judging.meeting import agreeing, room, voters

PART = "X-Part"
"""The script wants the room without the page around it."""
SHAPE, AGENDA = "X-Shape", "X-Agenda"
"""What the script shows has this shape: of a room that has it too, only the parts that can differ are sent; the agenda
only if it does."""
GO = "X-Go"
LONGEST = Removal.LONGEST


@page_view
def show(request: AuthedRequest, uuid: uuids.UUID, place: int | None = None) -> HttpResponse:
    """The room, where it is now or at an exhibit; its script fetches it again and again, and says that one is there."""
    row, now = access.met_round(request.user, uuid), clock.now()
    if place is not None:
        access.met_exhibit(request.user, uuid, place)
    if row.state == RoundState.MEETING:
        if PART not in request.headers:
            room.enter(row, by=request.user, now=now)
        elif not room.stay(row, by=request.user, now=now):
            return HttpResponse(headers={GO: reverse("home")})
    shown = room_of(row, by=request.user, now=now, place=place)
    whole = PART not in request.headers or request.headers.get(SHAPE) != shown.shape
    listed = whole or request.headers.get(AGENDA) != shown.agenda
    context = {"room": shown, "item": shown.item, "place": place, "whole": whole, "listed": listed}
    if whole and shown.leads and not shown.over:
        context |= lead_page(row)
    if shown.speaks and PART not in request.headers:
        context |= page_time.of_meeting(request.user, row)
    response = render(request, f"judging/room.html{'#room' if PART in request.headers else ''}", context)
    return allow_frame(request, allow_socket(request, response))


@page_view
def frame(request: AuthedRequest, uuid: uuids.UUID, place: int) -> HttpResponse:
    """The sandboxed document with the box of an exhibit, as its raters saw it."""
    exhibit = access.met_exhibit(request.user, uuid, place)
    box = or_not_found(ShownExhibit.model_validate(exhibit.shown, strict=False).box)
    rendering = loading.item_record(exhibit.item).documents[box.document].rendering(box.candidate)
    return frames.read_document(request, rendering, box.words, {}, source="")


@action_view
def act(request: AuthedRequest, uuid: uuids.UUID, place: int, what: str) -> HttpResponse:
    """Say, propose, confirm or park something: see `frontend.work.meetings.acts`."""
    exhibit = access.met_exhibit(request.user, uuid, place)
    follows = False
    with refusal_told(request):
        acts.act(what, exhibit, request.POST, by=request.user, now=clock.now())
        follows = what in acts.ROOM_FOLLOWS
    if "looking" in request.POST and not follows:
        return redirect("meeting_exhibit", uuid, place)
    return redirect("meeting", uuid)


@action_view
def leave(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Leave the room, for the home page."""
    row = access.met_round(request.user, uuid)
    room.leave(row, by=request.user, now=clock.now())
    return redirect("home")


@action_view
def time(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Store how long the room was visible to somebody who takes part."""
    row = access.met_round(request.user, uuid)
    page_time.keep(request.user, row.project, request.POST, meeting=row)
    return HttpResponse(status=204)


@action_view
def end(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """End the meeting, as its chair or a lead."""
    row = access.met_round(request.user, uuid)
    with refusal_told(request):
        ending.end_meeting(row, by=request.user, now=clock.now())
        messages.success(request, _("The meeting is over. What was settled is kept, and the rest as not settled."))
    return redirect("meeting", uuid)


@action_view
def choose_chair(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Choose who leads the meeting."""
    row = access.led_round(request.user, slug, uuid)
    person = or_not_found(
        next((each for each in voters.may_chair(row) if str(each.pk) == request.POST.get("person")), None)
    )
    with refusal_told(request):
        voters.choose_chair(row, person, by=request.user, now=clock.now())
    return redirect("meeting", uuid) if row.state == RoundState.MEETING else redirect("judging_round", slug, uuid)


@action_view
def remove(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Remove a voter for all that has no consensus."""
    row = access.led_round(request.user, slug, uuid)
    number = request.POST.get("number", "")
    rater = or_not_found(next((each for each in voters.voters_of(row) if str(each.number) == number), None))
    reason = request.POST.get("reason", "").strip()[:LONGEST]
    with refusal_told(request):
        agreeing.remove_voter(rater, reason=reason, by=request.user, now=clock.now())
        messages.success(request, _("Removed. What is still open is settled by the others."))
    return redirect("meeting", uuid)


@action_view
def stop(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Stop a round before its time."""
    row = access.led_round(request.user, slug, uuid)
    with refusal_told(request):
        ending.stop(row, why=request.POST.get("why", ""), by=request.user, now=clock.now())
        messages.success(request, _("Stopped. Nothing of the round changes any more."))
    return redirect("judging_round", slug, uuid)
