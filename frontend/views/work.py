"""The work screen: claim, show a stage, commit it, leave it."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation import clock, projects
from annotation.engine.work import Work
from annotation.errors import NotEligible, NotFound, PayloadInvalid, StalePage
from annotation.models import Project
from annotation.values.records import Waiting
from frontend import access
from frontend.errors import translated
from frontend.leads.courses import real_pages
from frontend.requests import AuthedRequest, action_view, form_view, page_view
from frontend.views.draft import keep_traces
from frontend.work import conflicts, live, lobby, revoked, screen, search
from frontend.work.beginning import no_work
from frontend.work.csp import allow_frame, allow_socket
from frontend.work.forms import filling, tokens
from frontend.work.holds.any_hold import AnyHold
from frontend.work.holds.assignment_hold import AssignmentHold
from frontend.work.messages import (
    REPLACED,
    SENT_BEFORE,
    TAKEN_BACK,
    block_message,
    flash_once,
    late_message,
    pair_message,
    search_message,
    stopped_message,
)
from frontend.work.search import results_url
from tasks.engine import assignments, claiming
from tasks.engine.no_work import NoWork
from tasks.models import Assignment


@action_view
def claim(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Claim the next work and show it, or say why there is none."""
    project = access.member_project(request.user, slug)
    if through := lobby.lobby_of(project.protocol, activity):
        return go(request, reverse("lobby", args=[slug, through]))
    chosen = search.chosen(request.user, project, activity, request.POST.get("item", ""))
    return _next(request, project, activity, done=None, chosen=chosen)


@page_view
def show(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """The stage to be answered now; closed work redirects home, and revoked work gets 410."""
    held = access.own_hold(request.user, uuid)
    work = held.work()
    return held.instead(request, work) or _show(request, held, work)


@form_view
def stage(request: AuthedRequest, uuid: uuids.UUID, step: str) -> HttpResponse:
    """GET shows a stage that was reached; POST commits it and responds with what comes next."""
    held = access.own_hold(request.user, uuid)
    if request.method == "POST":
        return _commit(request, held, step)
    if not held.in_hand:
        if isinstance(held.why_closed(), revoked.AWAY):
            return redirect("work", uuid)
        raise NotFound
    return _show_step(request, held, held.work(), step)


def _commit(request: AuthedRequest, held: AnyHold, step: str) -> HttpResponse:
    work = held.work()
    key, seen, tab = tokens.key_of(request), tokens.seen_of(request), tokens.tab_of(request)
    if work.has_gone(step):
        messages.info(request, TAKEN_BACK)
        return answer_with(request, held, work=work)
    access.stage_of(work, step)
    keep_traces(request, held, step)
    form = held.form(work, step, request.POST)
    if not form.is_valid() and work.reached(step):
        return _invalid(request, held, work, step, form=form, problems=form.problems())
    try:
        if not form.is_valid():
            raise StalePage
        payload, left = form.payload(), form.left()
        outcome = held.commit(step, payload, key=key, seen=seen, tab=tab, left=left, now=clock.now())
    except conflicts.CONFLICTS as why:
        goes_on = held.in_hand or held.is_sent
        if goes_on and form.is_valid() and conflicts.counts_already(work, step, form.payload()):
            return _sent_before(request, held, work)
        return conflicts.conflict(request, why, held, work, step, sent=request.POST)
    except PayloadInvalid as why:
        return _invalid(request, held, work, step, form=form, problems=translated(why))
    if outcome.following is not None:
        return answer_with(request, held, work=outcome.work)
    said = {"sent": True, "late": outcome.late, "adopted": outcome.adopted}
    if outcome.late or outcome.adopted:
        pay = bool(projects.project_config(held.project).pay)
        messages.info(request, late_message(outcome, pay=pay))
    if request.POST.get("then") == "stop" and held.may_stop():
        messages.success(request, stopped_message(request.user))
        return go(request, reverse("home"))
    return onward(request, held, work, done=said)


def _sent_before(request: AuthedRequest, held: AnyHold, work: Work) -> HttpResponse:
    """What follows an answer that another page has sent, word for word."""
    messages.info(request, SENT_BEFORE)
    if held.in_hand:
        return answer_with(request, held, work=work)
    if request.POST.get("then") == "stop":
        return go(request, held.end_url or reverse("home"))
    return onward(request, held, work, done={})


@action_view
def replace(request: AuthedRequest, uuid: uuids.UUID, step: str) -> HttpResponse:
    """Commit the second of two conflicting versions in place of the first; both again if that has changed meanwhile."""
    held = access.own_hold(request.user, uuid)
    work, key, seen = held.work(), tokens.key_of(request), tokens.seen_of(request)
    access.stage_of(work, step)
    form = held.form(work, step, request.POST)
    if not form.is_valid():
        raise PayloadInvalid(tuple(form.problems()))
    try:
        outcome = held.replace(step, form.payload(), key=key, seen=seen, now=clock.now())
    except conflicts.CONFLICTS as why:
        return conflicts.conflict(request, why, held, work, step, sent=request.POST)
    if outcome.following is not None:
        return answer_with(request, held, work=outcome.work)
    messages.success(request, REPLACED)
    return onward(request, held, work, done={})


def _invalid(request: AuthedRequest, held: AnyHold, work: Work, step: str, *, form: Any, problems: Any) -> HttpResponse:
    """The form again with its problems; for work no longer in hand only what was sent, without the material."""
    if held.in_hand:
        return _show_step(request, held, work, step, form=form, problems=problems)
    return conflicts.conflict(request, held.why_closed(), held, work, step, sent=request.POST)


def onward(request: AuthedRequest, held: AnyHold, work: Work, *, done: dict[str, Any]) -> HttpResponse:
    """What follows work that was sent or reported: where this kind of hold ends, or the next work."""
    if held.end_url or not isinstance(held, AssignmentHold):
        begun_at = real_pages.begun_at(request, held.uuid) if held.in_hand else ""
        return go(request, begun_at or held.end_url)
    return after_assignment(request, held.assignment, work, done=done)


def after_assignment(
    request: AuthedRequest, assignment: Assignment, work: Work, *, done: dict[str, Any]
) -> HttpResponse:
    """What follows an assignment that was sent, skipped or reported: the rest of its block, the search, or a claim."""
    project, activity = assignment.task.item.project, work.activity
    if activity.block:
        following = assignments.next_in_block(assignment)
        if following is not None:
            return answer_with(request, access.own_hold(request.user, following.uuid), done=done)
        flash_once(request, block_message(assignment, activity, done))
        return go(request, reverse("home"))
    if activity.picks == "search":
        flash_once(request, search_message(done))
        return go(request, results_url(assignment))
    if through := lobby.lobby_of(project.protocol, activity.key):
        flash_once(request, pair_message(done) if activity.picks == "pair" else "")
        return go(request, reverse("lobby", args=[project.slug, through]))
    return _next(request, project, activity.key, done=done)


def _next(
    request: AuthedRequest,
    project: Project,
    activity: str,
    *,
    done: dict[str, Any] | None,
    chosen: search.SearchResult | None = None,
) -> HttpResponse:
    """Claim, and respond with the first screen or with why there is nothing."""
    now, item = clock.now(), chosen.item if chosen else None
    try:
        claimed = claiming.claim(project, activity, by=request.user, now=now, item=item)
    except NotEligible as why:
        if why.reason == "consent_missing":
            return go(request, f"{reverse('consent', args=[project.slug])}?to={activity}")
        return no_work.not_eligible(request, project, activity, why.reason)
    if isinstance(claimed, NoWork):
        return no_work.page(request, project, activity, claimed)
    if chosen:
        search.record_opening(claimed, chosen, by=request.user, now=now)
    work = assignments.work_of(claimed, untouched=claimed.annotation.opened_at == now)
    return answer_with(request, AssignmentHold(claimed), work=work, done=done)


def answer_with(
    request: AuthedRequest, held: AnyHold, *, work: Work | None = None, done: dict[str, Any] | None = None
) -> HttpResponse:
    """The current step itself for htmx, else a redirect to it."""
    url = reverse("work", args=[held.uuid])
    if not request.htmx:
        return redirect(url)
    work = work or held.work()
    if request.htmx.target == live.TARGET:
        return live.fragment(request, work)
    response = _show(request, held, work, done=done)
    response["HX-Push-Url"] = url
    return response


def go(request: AuthedRequest, url: str) -> HttpResponse:
    if not request.htmx:
        return redirect(url)
    response = HttpResponse(status=204)
    response["HX-Redirect"] = url
    return response


def _show(request: AuthedRequest, held: AnyHold, work: Work, *, done: dict[str, Any] | None = None) -> HttpResponse:
    """The step to be answered now, or the page that waits for a partner."""
    if isinstance(work.following, Waiting):
        shown = screen.waiting_screen(held, work, by=request.user, now=clock.now())
        context = live.context(work) | {"work": shown, "said": done or {}}
        response = render(request, f"{work.protocol.key}/waiting.html", context)
        return allow_socket(request, allow_frame(request, response))
    return _show_step(request, held, work, work.step_to_show, done=done)


def _show_step(
    request: AuthedRequest,
    held: AnyHold,
    work: Work,
    step: str,
    *,
    form: Any = None,
    problems: Any = (),
    done: dict[str, Any] | None = None,
) -> HttpResponse:
    sheet, tab = held.sheet(work, step, now=clock.now()), tokens.tab_of(request)
    shown = screen.screen_of(held, work, step, by=request.user, tab=tab, now=clock.now())
    response = render(
        request,
        held.template_of(work, step),
        {
            "sheet": sheet,
            "work": shown,
            "form": form or filling.filled_form(work, step, shown.draft),
            "problems": problems,
            "answer": work.answered_fields(step),
            "config": work.config,
            "said": done or {},
            "begun_at": real_pages.begun_at(request, held.uuid),
        },
        status=422 if problems else 200,
    )
    return allow_socket(request, allow_frame(request, response))
