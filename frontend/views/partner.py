"""The partner in shared work: how they are, what one may do when they are lost, flag and take back; live parts."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation import clock
from annotation.errors import NotFound, WrongMove
from frontend import access
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.views.work import answer_with
from frontend.work import flagging, live, partner
from frontend.work.holds.assignment_hold import AssignmentHold
from frontend.work.messages import TAKEN_BACK
from tasks.engine import assignments
from tasks.pairs import presence, taking_back


@page_view
def show(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """How the partner is, as a part of the work page; once they have left, a page of its own."""
    assignment = access.own_shared_assignment(request.user, uuid)
    return partner.page(request, assignment, now=clock.now())


@require_POST
def signing_in(request: HttpRequest, uuid: uuids.UUID, token: str) -> HttpResponse:
    """Tell the partner that this person has to sign in again: their page says so, which has no session any more."""
    presence.note_signing_in(access.signed_out_assignment(uuid, token), now=clock.now())
    return HttpResponse(status=204)


@action_view
def more_time(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Tell the partner that one needs more time."""
    assignment = access.own_shared_assignment(request.user, uuid)
    return partner.more_time(request, assignment, now=clock.now())


@action_view
def end(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """End the work with a lost partner, and go home."""
    assignment = access.own_shared_assignment(request.user, uuid)
    return partner.end(request, assignment, now=clock.now())


@action_view
def another(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Go back to the lobby, in the old place in line."""
    assignment = access.own_shared_assignment(request.user, uuid)
    return partner.another(request, assignment, now=clock.now())


@action_view
def flag(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Flag what the partner has said, silently or as so serious that the work ends now."""
    assignment = access.own_shared_assignment(request.user, uuid)
    try:
        return flagging.flag(request, assignment, now=clock.now())
    except NotFound:
        messages.info(request, _("Your partner has taken it back in the meantime, so it was not flagged."))
        raise


@action_view
def withdraw(request: AuthedRequest, uuid: uuids.UUID, step: str) -> HttpResponse:
    """Take back what was sent last, into the box; or say that the partner has begun to answer it."""
    assignment = access.own_shared_assignment(request.user, uuid)
    access.stage_of(assignments.work_of(assignment), step)
    try:
        taking_back.take_back(assignment, step, by=request.user, now=clock.now())
    except WrongMove as why:
        messages.info(request, _(why.message))
    return answer_with(request, AssignmentHold(assignment))


@page_view
def now(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """The live partial of the person's page, or the whole screen for a script that shows another step (X-Step).

    NotFound for work with one seat, which has none.
    """
    assignment = access.own_open_assignment(request.user, uuid)
    work = assignments.work_of(assignment)
    if len(work.activity.seats) == 1:
        raise NotFound
    step = live.step_of(work)
    if work.has_gone(request.headers.get("X-Step", "")):
        messages.info(request, TAKEN_BACK)
    if not request.htmx or request.headers.get("X-Step", step) == step:
        return live.fragment(request, work)
    response = answer_with(request, AssignmentHold(assignment), work=work)
    response["X-Step"] = step
    return response
