"""A course: where the person stands, its guidelines and its tutorial."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from annotation import clock, membership, projects
from annotation.documents.words import length_of
from annotation.errors import NotFound, WrongMove
from annotation.models import User
from annotation.worktime import spans
from frontend import access
from frontend.access.projects import or_not_found
from frontend.courses import pages, shown
from frontend.courses.marked_work import marked_try, tutorial_tries
from frontend.markdown import document
from frontend.requests import AuthedRequest, action_view, file_view, form_view, page_view
from frontend.work import page_time
from qualification.courses import enrolling, real_items, sitting, standing, working
from qualification.courses.real_items import RealItem
from qualification.models import Enrolment, Qualification


@page_view
def show(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """The steps of the course, the last result, and what comes next; grades an attempt whose time is over."""
    row = access.course_qualification(request.user, slug, qualification)
    now = clock.now()
    for attempt in standing.counting(request.user, row):
        sitting.end_if_over(attempt, now=now)
    page = or_not_found(pages.course_page(request.user, row, now=now))
    return render(request, "courses/course.html", page)


@action_view
def begin(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Begin the course; consent comes first."""
    row = access.course_qualification(request.user, slug, qualification)
    if not membership.has_consented(request.user, row.project):
        return redirect(f"{reverse('consent', args=[slug])}?course={row.key}")
    enrolling.enrol(request.user, row, now=clock.now())
    return redirect("course_guidelines", slug, row.key)


@form_view
def guidelines(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """What is read before the exam: the course's text, and the project's guidelines; POST says that it is read."""
    row = access.course_qualification(request.user, slug, qualification)
    enrolment = _enrolment(request, row)
    if request.method == "POST":
        enrolling.mark_read(enrolment, now=clock.now())
        return redirect("course", slug, row.key)
    stands = standing.of_person(request.user, row, now=clock.now())
    own = stands.course.guidelines.strip() if stands else ""
    version = projects.guidelines_of(row.project)
    texts = [document(text) for text in (own, version.text if version else "") if text]
    context = {"qualification": row, "project": row.project, "texts": texts, "read": enrolment.read_at is not None}
    context |= timed(request.user, row, stands, words=sum(length_of(text.html).n for text in texts))
    return render(request, "courses/guidelines.html", context)


@form_view
def tutorial(request: AuthedRequest, slug: str, qualification: str, item: str) -> HttpResponse:
    """An item of the tutorial; POST marks an answer, which is shown with the explanations."""
    row = access.course_qualification(request.user, slug, qualification)
    enrolment = _enrolment(request, row)
    found, seed = enrolling.tutorial_item(enrolment, item), f"tutorial {enrolment.pk}"
    if isinstance(found, RealItem):
        return _in_work_screen(request, row, enrolment, found)
    address = shown.picture_in_tutorial(row, item)
    if request.method == "GET":
        return _tutorial(request, row, enrolment, item, shown.shown_item(found, address, seed=seed))
    chosen = shown.sent_places(found, request.POST.getlist("option"), seed=seed)
    try:
        points = enrolling.answer_tutorial(enrolment, item, chosen, now=clock.now())
    except WrongMove:
        messages.error(request, _("Choose an answer first."))
        unsent = shown.shown_item(found, address, seed=seed, chosen=chosen)
        return _tutorial(request, row, enrolment, item, unsent, status=422)
    marked = shown.marked_item(found, address, seed=seed, chosen=chosen)
    more: dict[str, Any] = {"marked": True, "right": points == 1, "note": document(found.note).html}
    return _tutorial(request, row, enrolment, item, marked, **more)


@file_view
def tutorial_picture(request: AuthedRequest, slug: str, qualification: str, item: str, n: int) -> HttpResponse:
    """A picture of an item of the tutorial."""
    row = access.course_qualification(request.user, slug, qualification)
    found = enrolling.tutorial_item(_enrolment(request, row), item)
    return shown.picture_response(row.project, found, n)


@action_view
def time(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Store how long a page of the course or its exam was visible."""
    row = access.course_qualification(request.user, slug, qualification)
    page_time.keep(request.user, row.project, request.POST)
    return HttpResponse(status=204)


def _in_work_screen(request: AuthedRequest, row: Qualification, enrolment: Enrolment, real: RealItem) -> HttpResponse:
    """What an item is that is worked on in the work screen, and the marks of the last try; POST opens it there."""
    if request.method == "POST":
        held = working.begin_tutorial_item(enrolment, real.key, now=clock.now())
        return redirect("work", held.uuid)
    is_open, last = tutorial_tries(enrolment, real.key)
    stands = standing.of_person(request.user, row, now=clock.now())
    left = stands is not None and real.key in [item.key for item in stands.to_do]
    more: dict[str, Any] = {"marked": marked_try(last, real)} if last else {}
    more |= {"is_open": is_open is not None, "again": last is not None and left, "note": document(real.note).html}
    activity = real_items.activity_of(row.project, real)
    more |= {"activity": gettext(activity.title), "real": real}
    return _tutorial(request, row, enrolment, real.key, None, template="courses/tutorial_work.html", **more)


def _tutorial(
    request: AuthedRequest,
    row: Qualification,
    enrolment: Enrolment,
    item: str,
    as_shown: shown.ShownItem | None,
    *,
    status: int = 200,
    template: str = "courses/tutorial.html",
    **more: Any,
) -> HttpResponse:
    stands = or_not_found(standing.of_person(request.user, row, now=clock.now()))
    keys = [each.key for each in stands.course.tutorial]
    left = [each.key for each in stands.to_do if each.key != item]
    place = keys.index(item)
    later = [key for key in left if keys.index(key) > place] or left
    context = {
        "qualification": row,
        "project": row.project,
        "item": as_shown,
        "number": place + 1,
        "of": len(keys),
        "next": later[0] if later else "",
        "step": stands.next.value,
        **timed(
            request.user, row, stands, words=length_of(f"{as_shown.stem if as_shown else ''}{more.get('note', '')}").n
        ),
        **more,
    }
    return render(request, template, context, status=status)


def timed(user: User, row: Qualification, stands: standing.CourseStanding | None, *, words: int) -> dict[str, str]:
    """The token of a page of the course by which it reports its time, if that is paid."""
    if stands is None or not stands.course.paid:
        return {}
    return {"time_note": page_time.note(user, row.project, stage=spans.COURSE, words=words)}


def _enrolment(request: AuthedRequest, row: Qualification) -> Enrolment:
    stands = standing.of_person(request.user, row, now=clock.now())
    if stands is None or stands.enrolment is None:
        raise NotFound
    return stands.enrolment
