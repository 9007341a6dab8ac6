"""The attempts at an exam: their list, more time, voiding one; and the figures of the course. Both also as CSV."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock
from frontend import access, downloads
from frontend.access.projects import or_not_found
from frontend.leads.courses import attempts as pages
from frontend.leads.courses import figures
from frontend.requests import AuthedRequest, action_view, page_view
from qualification.courses import deciding


@page_view
def index(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """All of them, or those with one outcome."""
    row = access.led_qualification(request.user, slug, qualification)
    context = pages.attempts_context(row, request.GET.get("outcome", ""), request.GET.get("page", "1"))
    return render(request, "people/course/attempts.html", context | {"form": pages.MoreTimeForm(row)})


@page_view
def as_csv(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """All of them as a table."""
    row = access.led_qualification(request.user, slug, qualification)
    right = downloads.right_to(request.user, row.project)
    filename = f"{slug}-{qualification}-attempts.csv"
    return downloads.table_response(pages.attempt_lines(row), filename=filename, right=right)


@action_view
def give_time(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Give a person more time in what is issued from then on."""
    row = access.led_qualification(request.user, slug, qualification)
    form = pages.MoreTimeForm(row, request.POST)
    if not form.is_valid():
        context = pages.attempts_context(row, "", "1") | {"form": form, "refused": True}
        return render(request, "people/course/attempts.html", context, status=422)
    sent = form.cleaned_data
    given = {"minutes": sent["minutes"], "reason": sent["reason"], "by": request.user, "now": clock.now()}
    made = deciding.give_time(row, sent["person"], **given)
    words = _("%(name)s has %(n)s minutes more from the next attempt on.")
    undo = f"undo {reverse('take_exam_time_back', args=[slug, qualification, made.pk])}"
    messages.success(request, words % {"name": made.user.username, "n": made.minutes}, extra_tags=undo)
    return redirect("exam_attempts", slug, qualification)


@action_view
def take_time_back(request: AuthedRequest, slug: str, qualification: str, extra: int) -> HttpResponse:
    """Undo giving more time."""
    row = access.led_qualification(request.user, slug, qualification)
    given = or_not_found(row.extra_times.select_related("user", "qualification__project").filter(pk=extra).first())
    deciding.take_time_back(given, reason=_("undone"), by=request.user, now=clock.now())
    messages.success(request, _("As before."))
    return redirect("exam_attempts", slug, qualification)


@action_view
def void(request: AuthedRequest, slug: str, qualification: str, attempt: uuids.UUID) -> HttpResponse:
    """Have an attempt not count."""
    row = access.led_attempt(request.user, slug, qualification, attempt)
    deciding.void(row, reason=request.POST.get("reason", ""), by=request.user, now=clock.now())
    words = _("Attempt %(n)s of %(name)s does not count any more.") % {"n": row.n, "name": row.user.username}
    undo = f"undo {reverse('count_attempt_again', args=[slug, qualification, attempt])}"
    messages.success(request, words, extra_tags=undo)
    return redirect("exam_attempts", slug, qualification)


@action_view
def count_again(request: AuthedRequest, slug: str, qualification: str, attempt: uuids.UUID) -> HttpResponse:
    """Undo voiding it."""
    row = access.led_attempt(request.user, slug, qualification, attempt)
    deciding.count_again(row, by=request.user, now=clock.now())
    messages.success(request, _("It counts again."))
    return redirect("exam_attempts", slug, qualification)


@page_view
def figures_page(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """How far people come, and what the answers say of each item."""
    row = access.led_qualification(request.user, slug, qualification)
    return render(request, "people/course/figures.html", figures.figures_context(row, request.GET))


@page_view
def figures_csv(request: AuthedRequest, slug: str, qualification: str, table: str) -> HttpResponse:
    """One of the tables."""
    row = access.led_qualification(request.user, slug, qualification)
    return downloads.table_response(figures.lines_of_table(row, table), filename=f"{slug}-{qualification}-{table}.csv")
