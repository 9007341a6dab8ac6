"""The lead's pages: a project at a glance, and one item with its annotations side by side."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation import clock
from frontend import access
from frontend.leads import decisions, overview, reports
from frontend.nouns import noun_of_item, noun_of_project
from frontend.requests import AuthedRequest
from tasks import reports as item_reports


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """Items, done and in work by split; queues, imports, releases."""
    project = access.led_project(request.user, slug)
    context = {
        "project": project,
        "noun": noun_of_project(project),
        "material": overview.material_of(project),
        "splits": overview.splits(project),
        "reported": reports.of_project(project),
        "left": reports.left_in_words(project),
        "queues": overview.queues(project),
        "imports": overview.imports(project),
        "releases": overview.ready_releases(project),
        "items": overview.items(project, split=request.GET.get("split", ""), page=request.GET.get("page", "1")),
        "split": request.GET.get("split", ""),
    }
    return render(request, "project/index.html", context)


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
        "columns": overview.columns(found),
        "sources": overview.sources(found),
        "disputes": overview.disputes(found),
        "flags": reports.of_item(found),
        "standing": reports.standing(found),
        "decisions": decisions.about_all(found),
        "taken_out": decisions.taken_out(found),
    }
    return render(request, "project/item.html", context)


@login_required
@require_POST
def unfreeze(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """The lead has looked at the reports: the item is given out again."""
    item_reports.unfreeze(access.led_item(request.user, slug, item_id), by=request.user, now=clock.now())
    messages.success(request, _("Open again. The reports are settled."))
    return redirect("item", slug=slug, item_id=item_id)


@login_required
@require_POST
def cancel(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """The lead takes the item and those under it out; what was answered stays."""
    item, reason = access.led_item(request.user, slug, item_id), request.POST.get("reason", "")
    item_reports.cancel(item, by=request.user, reason=reason, now=clock.now())
    messages.success(request, _("Taken out. Nobody is given it any more."))
    return redirect("item", slug=slug, item_id=item_id)
