"""Leave work: skip, undo a skip, give back, report; and notes to the lead about skips or a sealed answer."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget

from annotation import clock
from annotation.errors import AlreadyClosed, PayloadInvalid, Problem
from annotation.models.case import FlagReason
from frontend import access
from frontend.errors import row_of, translated
from frontend.requests import AuthedRequest, action_view, form_view
from frontend.views.draft import keep_traces
from frontend.views.work import after_assignment, go, onward
from frontend.work import partner
from frontend.work.holds.assignment_hold import AssignmentHold, in_hand
from frontend.work.messages import ENDED_BEFORE, GIVEN_BACK, after_skip
from tasks import corrections
from tasks.engine import assignments, skip_and_return
from tasks.models.states import AssignmentState

LONGEST = 2000
"""Characters of a reason, report or note."""


@action_view
def skip(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Leave this item for good and get the next one; the skip can be undone for ten seconds."""
    assignment = access.own_assignment(request.user, uuid)
    reason, text = request.POST.get("reason", "")[:40], request.POST.get("text", "")[:LONGEST]
    keep_traces(request, AssignmentHold(assignment), request.POST.get("stage", "")[:40])
    if ask := partner.page_to_say_why(request, assignment, by="skip", now=clock.now()):
        return go(request, ask)
    skip_and_return.skip(assignment, by=request.user, reason=reason, text=text, now=clock.now())
    return after_assignment(request, assignment, assignments.work_of(assignment), done=after_skip(assignment))


@action_view
def unskip(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Undo the skip."""
    assignment = access.own_assignment(request.user, uuid)
    skip_and_return.undo_skip(assignment, by=request.user, now=clock.now())
    return go(request, reverse("work", args=[uuid]))


@action_view
def give_back(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Return the assignment; its draft is kept for the person."""
    assignment = access.own_assignment(request.user, uuid)
    if ask := partner.page_to_say_why(request, assignment, by="give_back", now=clock.now()):
        return go(request, ask)
    ended = assignment.state == AssignmentState.EXPIRED
    reason, text = request.POST.get("reason", "")[:40], request.POST.get("text", "")[:LONGEST]
    skip_and_return.give_back(assignment, by=request.user, now=clock.now(), reason=reason, text=text)
    messages.success(request, ENDED_BEFORE if ended else GIVEN_BACK)
    return go(request, reverse("home"))


@action_view
def report(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Report that something is wrong with the item itself to a lead, and get the next one."""
    held, reason = access.own_hold(request.user, uuid), request.POST.get("reason", "")
    if reason not in FlagReason.values:
        raise PayloadInvalid((Problem("reason", "required", _("Say what is wrong.")),))
    said = (request.POST.get(name, "").strip()[:LONGEST] for name in ("where", "text"))
    text = ": ".join(filter(None, said))
    held.report(reason=FlagReason(reason), text=text, now=clock.now())
    return onward(request, held, held.work(), done={"reported": True})


@action_view
def reconsider(request: AuthedRequest, uuid: uuids.UUID, step: str) -> HttpResponse:
    """Note to the lead about a sealed stage: what the person would say now."""
    assignment, text = access.own_assignment(request.user, uuid), request.POST.get("text", "")[:LONGEST]
    try:
        if not in_hand(assignment):
            raise assignments.why_closed(assignment)
        corrections.reconsider(assignment, step, by=request.user, text=text, now=clock.now())
    except (PayloadInvalid, AlreadyClosed) as why:
        if not request.htmx:
            raise
        return _in_the_dialog(why)
    if request.htmx:
        return render(request, "work/_explained.html")
    messages.success(request, _("Thank you. A lead reads this."))
    return redirect("work", uuid)


def _in_the_dialog(why: PayloadInvalid | AlreadyClosed) -> HttpResponse:
    """Why a note is refused, said in its dialog, which stays open with what was written."""
    row = row_of(why)
    wrong = [problem.message for problem in translated(why)] if isinstance(why, PayloadInvalid) else []
    sentence = escape(" ".join(wrong or [f"{row.heading}.", f"{row.advice}"]))
    return reswap(retarget(HttpResponse(sentence, status=row.status), "#reconsider-problem"), "innerHTML")


@form_view
def explain(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """GET asks why somebody leaves a partner again; POST notes for the lead why they skipped many in a row."""
    if request.method == "GET":
        return partner.say_why(request, access.own_shared_assignment(request.user, uuid), now=clock.now())
    assignment = access.own_assignment(request.user, uuid)
    skip_and_return.explain(assignment, by=request.user, text=request.POST.get("text", "")[:LONGEST], now=clock.now())
    if request.htmx:
        return render(request, "work/_explained.html")
    messages.success(request, _("Thank you. A lead reads this."))
    work, project = assignments.work_of(assignment), assignment.task.item.project
    return redirect("search", project.slug, work.activity.key) if work.activity.picks == "search" else redirect("home")
