"""Correcting which options of an item are right in a published version, and undoing that."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation import clock, events
from annotation.errors import StalePage, WrongMove
from annotation.models import Event
from frontend import access
from frontend.leads.courses import arranging
from frontend.requests import AuthedRequest
from qualification.courses import regrading
from qualification.models import CourseVersion


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def correct(request: AuthedRequest, slug: str, qualification: str, version: int, piece: str) -> HttpResponse:
    """Choose the right options, see who changes by it, and do it."""
    row = access.led_course(request.user, slug, qualification, version)
    if request.method == "GET":
        return render(request, "people/course/correct.html", arranging.correction_context(row, piece, None))
    right = arranging.chosen_by(row, piece, request.POST)
    context, status = arranging.correction_context(row, piece, right), 200
    context |= {"reason": request.POST.get("reason", "")}
    try:
        if request.POST.get("go") == "correct":
            return _corrected(request, row, piece, right)
    except (WrongMove, StalePage) as refused:
        context |= {"why": refused.message, "wants_reason": not context["reason"].strip()}
        status = 409 if isinstance(refused, StalePage) else 422
    try:
        context |= arranging.preview_context(regrading.preview(row, piece, right))
    except WrongMove as refused:
        context |= {"why": refused.message}
        status = 422
    return render(request, "people/course/correct.html", context, status=status)


@login_required
@require_POST
def correct_back(request: AuthedRequest, slug: str, qualification: str, version: int, event: int) -> HttpResponse:
    """Undo a correction; who was given the qualification keeps it."""
    row = access.led_course(request.user, slug, qualification, version)
    found = Event.objects.filter(pk=event, project_id=row.qualification.project_id).first()
    arranging.correct_back(row, found, by=request.user, now=clock.now())
    messages.success(request, _("The right answer is as before. Whoever was given the qualification keeps it."))
    return redirect("course_version", slug, qualification, version)


def _corrected(request: AuthedRequest, row: CourseVersion, piece: str, right: list[Any]) -> HttpResponse:
    was, reason = arranging.shown_by(row, piece, request.POST.get("was", "")), request.POST.get("reason", "")
    with events.recorded() as made:
        changed = regrading.correct(row, piece, right, was=was, reason=reason, by=request.user, now=clock.now())
    [slug, key] = row.qualification.project.slug, row.qualification.key
    done = [each for each in made if each.kind == "course.corrected"]
    undo = f"undo {reverse('correct_item_back', args=[slug, key, row.version, done[-1].pk])}" if done else ""
    words = _in_words(len(changed), sum(each.admits for each in changed)) if done else _("Nothing was different.")
    messages.success(request, words, extra_tags=undo)
    return redirect("course_version", slug, key, row.version)


def _in_words(n: int, given: int) -> str:
    again = ngettext("%(n)s attempt is graded anew.", "%(n)s attempts are graded anew.", n) % {"n": n}
    to = ngettext("%(n)s person was given the qualification.", "%(n)s people were given the qualification.", given)
    return f"{_('Corrected.')} {again} {to % {'n': given}}"
