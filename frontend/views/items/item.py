"""One item with its annotations side by side, for leads; freezing and withdrawing it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation import clock, events
from frontend import access
from frontend.leads import cases, chats, flag_rates
from frontend.leads.board.asked import after_deciding
from frontend.leads.courses import choosing
from frontend.leads.items import (
    as_seen,
    decisions,
    exam_decisions,
    history,
    listing,
    overview,
    reports,
    trying,
    undoing,
)
from frontend.leads.items.filters import place_in_list
from frontend.requests import AuthedRequest
from frontend.wording import noun_of_item
from tasks.items import reports as item_reports


@login_required
@never_cache
@require_GET
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
        "rates": flag_rates.of_flagged(found),
        "passages": cases.passages(found),
        "chats": chats.chats_of(found),
        "standing": reports.report_state(found),
        "decisions": decisions.item_decisions(found),
        "withdrawn": decisions.withdrawal_of(found),
        "aside": exam_decisions.setting_aside_in_words(found),
        "more": overview.tasks_in_words(found) if found.set_aside_at is None else [],
        "tryable": trying.try_choices(found, request.user),
        "exam": choosing.places_for(found),
        "seen_by_annotators": as_seen.entrance(found, request.GET.urlencode()),
    }
    context |= listing.surroundings(found, place_in_list(request.GET)) | overview.side_by_side(found)
    return render(request, "project/item.html", context)


@login_required
@require_POST
def unfreeze(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Settle the reports, so that the item is offered again."""
    item_reports.unfreeze(access.led_item(request.user, slug, item_id), by=request.user, now=clock.now())
    messages.success(request, _("Open again. The reports are settled."))
    return redirect(after_deciding(request.POST, slug, item_id))


@login_required
@require_POST
def cancel(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Withdraw the item and those under it; finished answers stay."""
    item, reason = access.led_item(request.user, slug, item_id), request.POST.get("reason", "")
    with events.recorded() as decided:
        item_reports.cancel(item, by=request.user, reason=reason, now=clock.now())
    tag = undoing.tag_of(item.project, decided)
    messages.success(request, _("Withdrawn. No one will get it any more."), extra_tags=tag)
    return redirect(after_deciding(request.POST, slug, item_id))


@login_required
@never_cache
@require_GET
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
