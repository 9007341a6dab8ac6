"""One item with its annotations side by side, for leads; freezing and withdrawing it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock
from frontend import access
from frontend.leads import case_details, cases, chats
from frontend.leads.board.asked import after_deciding
from frontend.leads.courses import real_pages
from frontend.leads.items import (
    as_seen,
    decisions,
    exam_decisions,
    history,
    listing,
    overview,
    reports,
)
from frontend.leads.items.filters import place_in_list
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.wording import noun_of_item
from tasks.items import reports as item_reports


@page_view
def item(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """The annotations of one item side by side, under worker codes."""
    found = access.led_item(request.user, slug, item_id)
    context = {
        "project": found.project,
        "item": found,
        "noun": noun_of_item(found),
        "prompt": overview.prompt_of(found),
        "sources": overview.sources(found),
        "disputes": overview.disputes(found),
        "decided": overview.decided_activities(found),
        "flags": reports.reports_on(found),
        "cases": cases.cases_on(found),
        "rates": case_details.rates_of_flagged(found),
        "passages": cases.passages(found),
        "chats": chats.chats_of(found),
        "standing": reports.report_state(found),
        "decisions": decisions.item_decisions(found),
        "withdrawn": decisions.withdrawal_of(found),
        "aside": exam_decisions.setting_aside_in_words(found),
        "more": overview.tasks_in_words(found) if found.set_aside_at is None else [],
        "tryable": as_seen.try_choices(found, request.user),
        "exam": real_pages.places_for(found),
        "seen_by_annotators": as_seen.entrance(found, request.GET.urlencode()),
    }
    context |= listing.surroundings(found, place_in_list(request.GET)) | overview.side_by_side(found)
    return render(request, "project/item.html", context)


@action_view
def unfreeze(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Settle the reports, so that the item is offered again."""
    item_reports.unfreeze(access.led_item(request.user, slug, item_id), by=request.user, now=clock.now())
    messages.success(request, _("Open again. The reports are settled."))
    return redirect(after_deciding(request.POST, slug, item_id))


@page_view
def index(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Every version of every answer and every event, newest first, and the time at each stage."""
    found = access.led_item(request.user, slug, item_id)
    context = {
        "project": found.project,
        "item": found,
        "noun": noun_of_item(found),
        "prompt": overview.prompt_of(found),
        "lines": history.history_page(found, page=request.GET.get("page", "1")),
        "times": history.times(found),
    }
    return render(request, "project/items/history.html", context)
