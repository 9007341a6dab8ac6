"""The board of a project, what has changed on it, its pictures as SVG and CSV; pausing a project."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock
from annotation.errors import NotFound
from annotation.models import Project
from frontend import access, downloads
from frontend.access.projects import or_not_found
from frontend.leads import figures, human_bound
from frontend.leads.board import page
from frontend.leads.board.asked import BoardQuery
from frontend.leads.board.numbers import BoardNumbers, Card
from frontend.leads.board.page import SeenBoard
from frontend.leads.items import overview, reports
from frontend.requests import AuthedRequest, action_view, in_utc, page_view
from frontend.wording import noun_of_project
from tasks.board import counting
from tasks.measuring.agreement import measured_activities
from tasks.pairs import pauses
from tasks.setup import remaining

MEASURED, SEEN = "X-Goldfinch-Measured", "X-Goldfinch-Seen"
"""Headers: when work was last counted, if nothing else has changed; and what to ask with the next time."""


@page_view
@in_utc
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """Where the project stands, what needs a lead, and how it goes; or what is missing to begin."""
    project = access.led_project(request.user, slug)
    context = {
        "project": project,
        "noun": noun_of_project(project),
        "items_total": overview.has_items(project),
        **overview.beside(project),
        **_below(project),
    }
    if context["items_total"]:
        context |= _board(project, request)
    return render(request, "project/index.html", context)


@page_view
@in_utc
def live(request: AuthedRequest, slug: str) -> HttpResponse:
    """What changes on the board; 204 if it is what the page has `seen`, which mostly is found without computing it."""
    project, shown = access.led_project(request.user, slug), SeenBoard.from_text(request.GET.get("seen", ""))
    if shown and page.is_current(shown, BoardNumbers(project, BoardQuery.from_query(request.GET), now=clock.now())):
        return _nothing_new(shown)
    context = _board(project, request)
    if shown and shown.content == context["seen"].content:
        return _nothing_new(context["seen"])
    answer = render(request, "project/board/_live.html", context)
    answer[SEEN] = str(context["seen"])
    return answer


def _nothing_new(seen: SeenBoard) -> HttpResponse:
    counted = counting.counted_at()
    return HttpResponse(status=204, headers={MEASURED: counted.isoformat() if counted else "", SEEN: str(seen)})


@page_view
def svg(request: AuthedRequest, slug: str, card: str) -> HttpResponse:
    """A picture as a file that needs nothing else."""
    project, found = _card(request, slug, card)
    if found.plot is None:
        raise NotFound
    body = render_to_string("project/plot.svg", {"plot": found.plot, "title": found.title})
    name = f'attachment; filename="{project.slug}-{card}.svg"'
    return HttpResponse(body, content_type="image/svg+xml", headers={"Content-Disposition": name})


@page_view
def table(request: AuthedRequest, slug: str, card: str) -> HttpResponse:
    """The numbers behind a picture."""
    project, found = _card(request, slug, card)
    return downloads.table_response([found.header, *found.rows], filename=f"{project.slug}-{card}.csv")


def _board(project: Project, request: AuthedRequest) -> dict[str, Any]:
    now, asked = clock.now(), BoardQuery.from_query(request.GET)
    follows_from = page.seen_board(BoardNumbers(project, asked, now=now))
    board = page.board_of(project, asked, now=now)
    counted_at, protocol = board.numbers.counted_at, board.numbers.protocol
    context = {
        "project": project,
        "noun": noun_of_project(project),
        "board": board,
        "before": remaining.before_queues(project),
        "now": now,
        "age": max(1, (now - counted_at).total_seconds()) if counted_at else 0,
        "queue_titles": [(row.activity, _(protocol.activity(row.activity).title)) for row in board.numbers.queues],
    }
    return context | {"seen": replace(follows_from, content=page.hashed(board.content))}


def _below(project: Project) -> dict[str, Any]:
    return {
        "left": reports.skip_explanations(project),
        "compared": figures.compared(project),
        "has_human_bound": human_bound.exists(project),
        "measures_agreement": bool(measured_activities(project)),
        "can_pause": pauses.can_pause(project),
        "paused_until": pauses.ends_at(project.pk, now=clock.now()),
    }


def _card(request: AuthedRequest, slug: str, card: str) -> tuple[Project, Card]:
    project = access.led_project(request.user, slug)
    found = or_not_found(page.card_of(project, BoardQuery.from_query(request.GET), card, now=clock.now()))
    return project, found


@action_view
def pause(request: AuthedRequest, slug: str) -> HttpResponse:
    """Stop the clocks of shared work for 15 minutes."""
    pauses.begin(access.led_project(request.user, slug), by=request.user, now=clock.now())
    return redirect(f"{reverse('project', args=[slug])}#pause")


@action_view
def resume(request: AuthedRequest, slug: str) -> HttpResponse:
    """End the pause now."""
    pauses.end(access.led_project(request.user, slug), by=request.user, now=clock.now())
    return redirect(f"{reverse('project', args=[slug])}#pause")
