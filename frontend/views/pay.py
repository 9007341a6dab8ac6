"""A lead settles the pay of a project: what each person is owed, marked as paid, and undone."""

from __future__ import annotations

import uuid as uuids
from datetime import date
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock, randomness
from annotation.models import Project
from frontend import access, downloads
from frontend.leads.pay import PER_PAGE, PaidForm, days_of_period, pay_lines, pay_table, period_of, seen_seconds
from frontend.requests import AuthedRequest, action_view, form_view, page_view
from tasks.people import payments
from tasks.people.earnings import Period
from tasks.prolific import connecting


@form_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """Everybody's work, hours and pay in a period; POST marks what is owed as paid, to one person or to all."""
    project = access.led_project(request.user, slug)
    period = _period(request, project)
    if request.method == "GET":
        return _page(request, project, period, PaidForm(initial={"paid_on": _today()}))
    form = PaidForm(request.POST)
    if not form.is_valid():
        return _page(request, project, period, form, status=422)
    seen = seen_seconds(project, form.cleaned_data["seen"], only=form.cleaned_data["only"])
    rows = payments.mark_paid(project, seen, period=period, words=form.words(), by=request.user, now=clock.now())
    said = ngettext("%(n)s person is marked as paid.", "%(n)s people are marked as paid.", len(rows)) % {"n": len(rows)}
    undo_url = reverse("undo_pay", args=[slug, form.cleaned_data["key"]])
    messages.success(request, said, extra_tags=f"undo {undo_url}")
    return redirect(_address(slug, period))


@page_view
def as_csv(request: AuthedRequest, slug: str) -> HttpResponse:
    """The same rows as a file."""
    project = access.led_project(request.user, slug)
    table = pay_table(project, _period(request, project))
    right = downloads.right_to(request.user, project)
    return downloads.table_response(pay_lines(table), filename=f"{project.slug}-pay.csv", right=right)


@action_view
def undo(request: AuthedRequest, slug: str, settlement: uuids.UUID) -> HttpResponse:
    """Say that what was marked together is not paid; with a code, for that person alone."""
    project, code = access.led_project(request.user, slug), request.POST.get("person", "")
    person = access.led_person(request.user, slug, code)[1] if code else None
    rows = payments.undo_payments(project, settlement, person=person, by=request.user, now=clock.now())
    messages.success(request, _("Undone. It is owed again."))
    return redirect(_address(slug, Period.between(rows[0].begins_at, rows[0].ends_at)))


def _today() -> date:
    return timezone.localdate(clock.now())


def _period(request: AuthedRequest, project: Project) -> Period:
    return period_of(project, request.GET, today=_today())


def _address(slug: str, period: Period) -> str:
    return f"{reverse('pay', args=[slug])}?{urlencode(days_of_period(period))}"


def _page(
    request: AuthedRequest, project: Project, period: Period, form: PaidForm, *, status: int = 200
) -> HttpResponse:
    table = pay_table(project, period)
    context = {
        "project": project,
        "table": table,
        "rows": Paginator(table.rows, PER_PAGE).get_page(request.GET.get("page", "1")),
        "query": urlencode(days_of_period(period)),
        "form": form,
        "today": _today(),
        "key": randomness.handle(),
        "pays_bonuses": connecting.is_on() and connecting.study_of(project) is not None,
    }
    return render(request, "project/pay.html", context, status=status)
