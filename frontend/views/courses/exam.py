"""An exam: begin it, answer one item after another, take more time, hand it in, and look at the result."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock
from annotation.errors import NotFound, WrongMove
from annotation.worktime import spans
from frontend import access
from frontend.courses import pages, shown
from frontend.requests import AuthedRequest, action_view, file_view, form_view
from frontend.work import page_time
from qualification.courses import editing, sitting, working
from qualification.courses.content import ChoiceItem
from qualification.courses.sitting import ExamOver
from qualification.models import Attempt, AttemptPurpose, AttemptState
from tasks.items import setting_aside


@action_view
def begin(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Issue an attempt, or go on with the one that is open."""
    row = access.course_qualification(request.user, slug, qualification)
    try:
        met = setting_aside.roots_worked_on(request.user, row.project)
        attempt = sitting.issue(request.user, row, met=met, now=clock.now())
    except WrongMove as refused:
        messages.error(request, str(refused.message or sitting.NOT_NOW))
        return redirect("course", slug, row.key)
    return redirect("exam", attempt.uuid)


@form_view
def exam(request: AuthedRequest, attempt: uuids.UUID) -> HttpResponse:
    """The first item without an answer; POST answers it. Once it is over, the result."""
    row = sitting.end_if_over(access.own_attempt(request.user, attempt), now=clock.now())
    if row.state != AttemptState.OPEN or row.voided_at is not None:
        return _over(request, row)
    if request.method == "GET":
        held = working.begin_item(row, now=clock.now())
        return redirect("work", held.uuid) if held else _item(request, row)
    place, chosen = _sent(request, row)
    try:
        sitting.answer(row, place, chosen, now=clock.now())
    except ExamOver as over:
        messages.info(request, str(over.message or _("The exam is over.")))
    except WrongMove:
        messages.error(request, _("Choose an answer first."))
        return _item(request, row, status=422)
    return redirect("exam", attempt)


@file_view
def picture(request: AuthedRequest, attempt: uuids.UUID, place: int, n: int) -> HttpResponse:
    """A picture of the item that is asked now."""
    row = access.own_attempt(request.user, attempt)
    if sitting.is_closed(row, clock.now()) or sitting.is_outdated(row) or place != row.answers.count():
        raise NotFound
    return shown.picture_response(row.qualification.project, _item_at(row, place), n)


@action_view
def draft(request: AuthedRequest, attempt: uuids.UUID) -> HttpResponse:
    """Keep what is chosen; it counts if the time ends before it is sent."""
    row = access.own_attempt(request.user, attempt)
    if not sitting.is_outdated(row):
        place, chosen = _sent(request, row)
        sitting.keep_draft(row, place, chosen, now=clock.now())
    return HttpResponse(status=204)


@action_view
def extend(request: AuthedRequest, attempt: uuids.UUID) -> HttpResponse:
    """Add the minutes that the course allows."""
    row = access.own_attempt(request.user, attempt)
    if sitting.is_outdated(row):
        return redirect("exam", attempt)
    minutes = editing.read(row.course).extension
    sitting.extend(row, now=clock.now())
    words = ngettext("%(n)s minute was added.", "%(n)s minutes were added.", minutes) % {"n": minutes}
    messages.success(request, words)
    return redirect("exam", attempt)


@action_view
def hand_in(request: AuthedRequest, attempt: uuids.UUID) -> HttpResponse:
    """End the attempt with what is chosen by now."""
    row, now = access.own_attempt(request.user, attempt), clock.now()
    if sitting.is_outdated(row):
        return redirect("exam", attempt)
    if request.POST.getlist("option"):
        place, chosen = _sent(request, row)
        sitting.keep_draft(row, place, chosen, now=now)
    sitting.hand_in(row, now=now)
    return redirect("exam", attempt)


def _sent(request: AuthedRequest, attempt: Attempt) -> tuple[int, list[int]]:
    """The place of the form, and the chosen places in the content; nothing for a place that the form does not have."""
    text = request.POST.get("place", "")
    place = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else len(attempt.form)
    if place >= len(attempt.form):
        return place, []
    return place, shown.sent_places(_item_at(attempt, place), request.POST.getlist("option"), seed=attempt.seed)


def _item_at(attempt: Attempt, place: int) -> ChoiceItem:
    item = editing.read(attempt.course).items()[attempt.form[place][1]]
    if not isinstance(item, ChoiceItem):
        raise NotFound
    return item


def _item(request: AuthedRequest, attempt: Attempt, *, status: int = 200) -> HttpResponse:
    answered = attempt.answers.count()
    draft = attempt.drafts.filter(place=answered).first()
    address, chosen = shown.picture_in_exam(attempt, answered), draft.answer if draft else ()
    item = shown.shown_item(_item_at(attempt, answered), address, seed=attempt.seed, chosen=chosen)
    page = pages.attempt_page(attempt, editing.read(attempt.course), answered=answered)
    if page["paid"] and not page["trial"]:
        project, words = attempt.qualification.project, page_time.BY_THE_CLOCK
        page["time_note"] = page_time.note(request.user, project, stage=spans.EXAM, words=words)
    return render(request, "courses/exam.html", page | {"item": item}, status=status)


def _over(request: AuthedRequest, attempt: Attempt) -> HttpResponse:
    """Candidates read their result on the page of the course; a lead's trial has a page of its own."""
    row = attempt.qualification
    if attempt.purpose == AttemptPurpose.EXAM:
        return redirect("course", row.project.slug, row.key)
    course = editing.read(attempt.course)
    context = {
        "attempt": attempt,
        "project": row.project,
        "qualification": row,
        "heading": pages.HEADINGS.get(attempt.outcome, ""),
        "blocks": pages.block_rows(course, attempt),
        "took": pages.took(attempt),
        "voided": attempt.voided_at is not None,
    }
    return render(request, "courses/trial.html", context)
