"""The attempts at an exam: the list and its CSV, more time for a person, and voiding an attempt that was spoiled."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation import clock
from annotation.errors import NotFound
from frontend import access, downloads
from frontend.leads.courses import attempts as pages
from frontend.requests import AuthedRequest
from qualification.courses import deciding


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """All of them, or those with one outcome."""
    row = access.led_qualification(request.user, slug, qualification)
    context = pages.attempts_context(row, request.GET.get("outcome", ""), request.GET.get("page", "1"))
    return render(request, "people/course/attempts.html", context | {"form": pages.MoreTimeForm(row)})


@login_required
@never_cache
@require_GET
def as_csv(request: AuthedRequest, slug: str, qualification: str) -> HttpResponseBase:
    """All of them as a table."""
    row = access.led_qualification(request.user, slug, qualification)
    return downloads.streamed_table(pages.attempt_lines(row), filename=f"{slug}-{qualification}-attempts.csv")


@login_required
@require_POST
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


@login_required
@require_POST
def take_time_back(request: AuthedRequest, slug: str, qualification: str, extra: int) -> HttpResponse:
    """Undo giving more time."""
    row = access.led_qualification(request.user, slug, qualification)
    given = row.extra_times.select_related("user", "qualification__project").filter(pk=extra).first()
    if given is None:
        raise NotFound
    deciding.take_time_back(given, reason=_("undone"), by=request.user, now=clock.now())
    messages.success(request, _("As before."))
    return redirect("exam_attempts", slug, qualification)


@login_required
@require_POST
def void(request: AuthedRequest, slug: str, qualification: str, attempt: uuids.UUID) -> HttpResponse:
    """Have an attempt not count."""
    row = access.led_attempt(request.user, slug, qualification, attempt)
    deciding.void(row, reason=request.POST.get("reason", ""), by=request.user, now=clock.now())
    words = _("Attempt %(n)s of %(name)s does not count any more.") % {"n": row.n, "name": row.user.username}
    undo = f"undo {reverse('count_attempt_again', args=[slug, qualification, attempt])}"
    messages.success(request, words, extra_tags=undo)
    return redirect("exam_attempts", slug, qualification)


@login_required
@require_POST
def count_again(request: AuthedRequest, slug: str, qualification: str, attempt: uuids.UUID) -> HttpResponse:
    """Undo voiding it."""
    row = access.led_attempt(request.user, slug, qualification, attempt)
    deciding.count_again(row, by=request.user, now=clock.now())
    messages.success(request, _("It counts again."))
    return redirect("exam_attempts", slug, qualification)
