"""Decisions about several items: those that are ticked, at once; all that a list has, by a job that can be undone."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock, events
from annotation.models import Project
from frontend import access
from frontend.leads.event_lines import wait_in_words
from frontend.leads.items import bulk_decisions, bulk_job, undoing
from frontend.leads.items.bulk_decisions import NOTHING_TO_DO
from frontend.leads.items.filters import filter_of
from frontend.requests import AuthedRequest, action_view, in_utc, page_view
from frontend.wording import noun_of_project
from tasks.background import long_jobs


@action_view
@in_utc
def decide(request: AuthedRequest, slug: str) -> HttpResponse:
    """Decide about the ticked items, or have a job decide about all of the list."""
    project = access.led_project(request.user, slug)
    if request.POST.get("all"):
        decision = bulk_decisions.decision_of(request.POST.dict())
        wanted = filter_of(QueryDict(request.POST.get("here", "")))
        job = bulk_job.ask(project, wanted, decision, by=request.user, now=clock.now())
        return redirect("decided_items", slug=slug, decided=job.pk)
    if request.POST.getlist("item"):
        _decide_ticked(request, project, now=clock.now())
    else:
        messages.error(request, _("Nothing was chosen: tick the boxes before the rows first."))
    wanted = filter_of(QueryDict(request.POST.get("here", "")))
    return redirect(f"{reverse('items', args=[slug])}?{wanted.address(page=wanted.page)}")


@page_view
def show(request: AuthedRequest, slug: str, decided: int) -> HttpResponse:
    """How far a job is that decides about many items, and what it has done."""
    job = access.led_job(request.user, slug, decided, kinds=(bulk_job.KIND,))
    wait = long_jobs.wait_of(job)
    context = {
        "project": job.project,
        "noun": noun_of_project(job.project),
        "job": job,
        "at": datetime.fromisoformat(job.report["at"]),
        "asked": job.report["asked"],
        "is_over": bulk_job.is_over(job),
        "ahead": wait.ahead,
        "waits_for": wait_in_words(wait),
        "outcome": bulk_job.outcome_of(job) if bulk_job.is_over(job) else None,
        "why_not_undo": bulk_job.why_not_undo(job, by=request.user, now=clock.now()),
        "undo": bulk_job.undo_of(job),
    }
    return render(request, "project/items/decided.html", context)


@action_view
def stop(request: AuthedRequest, slug: str, decided: int) -> HttpResponse:
    """Stop such a job; what it has done stays, and can be undone."""
    job = access.led_job(request.user, slug, decided, kinds=(bulk_job.KIND,))
    long_jobs.cancel(job, by=request.user, now=clock.now())
    return redirect("decided_items", slug=slug, decided=decided)


@action_view
def undo(request: AuthedRequest, slug: str, decided: int) -> HttpResponse:
    """Undo all that such a job has done, by another one."""
    job = access.led_job(request.user, slug, decided, kinds=(bulk_job.KIND,))
    undoes = bulk_job.ask_undo(job, by=request.user, now=clock.now())
    return redirect("decided_items", slug=slug, decided=undoes.pk)


def _decide_ticked(request: AuthedRequest, project: Project, *, now: datetime) -> None:
    """Each in a transaction of its own; the message says for how many it was done, and for which reasons not."""
    items = bulk_decisions.chosen(project, request.POST.getlist("item"))
    decision = bulk_decisions.decision_of(request.POST.dict())
    with events.recorded() as decided:
        outcomes = [bulk_decisions.decide_item(item, decision, by=request.user, now=now) for item in items]
    refused = sum((outcome.refused for outcome in outcomes), Counter())
    n = sum(outcome.done > 0 for outcome in outcomes)
    said = [ngettext("Decided about %(n)s item.", "Decided about %(n)s items.", n) % {"n": n}]
    if any(why in NOTHING_TO_DO for why in refused):
        said.append(_("There was nothing to do for the others."))
    said += [f"{_(why)} ({many})" for why, many in refused.most_common() if why not in NOTHING_TO_DO]
    messages.success(request, " ".join(said), extra_tags=undoing.tag_of(project, decided))
