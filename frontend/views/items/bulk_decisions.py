"""What a lead decides about items: about several at once, and taking a decision back."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation import clock
from frontend import access
from frontend.leads.items import bulk_decisions, undoing
from frontend.leads.items.filters import filter_of
from frontend.requests import AuthedRequest


@login_required
@require_POST
def decide(request: AuthedRequest, slug: str) -> HttpResponse:
    """Exclude what was made of the chosen items, include it again, or withdraw them."""
    project, now, after = access.led_project(request.user, slug), clock.now(), undoing.latest_event()
    if not request.POST.getlist("item"):
        messages.error(request, _("Nothing was chosen: tick the boxes before the rows first."))
        return _to_list(request, slug)
    items, sent = bulk_decisions.chosen(project, request.POST.getlist("item")), request.POST
    said = {"person": sent.get("person", ""), "reason": sent.get("reason", "")}
    n = bulk_decisions.decide(items, sent.get("action", ""), by=request.user, now=now, **said)
    text = ngettext("Decided about %(n)s item.", "Decided about %(n)s items.", n) % {"n": n}
    rest = _("There was nothing to do for the others.") if n < len(items) else ""
    tag = undoing.tag_of(project, after=after, by=request.user, now=now)
    messages.success(request, f"{text} {rest}".strip(), extra_tags=tag)
    return _to_list(request, slug)


@login_required
@require_POST
def undo(request: AuthedRequest, slug: str, event: int) -> HttpResponse:
    """Undo what this person decided a moment ago."""
    project = access.led_project(request.user, slug)
    undoing.undo(project, event, by=request.user, now=clock.now())
    messages.success(request, _("Undone."))
    return redirect(_came_from(request) or reverse("items", args=[slug]))


def _to_list(request: AuthedRequest, slug: str) -> HttpResponse:
    wanted = filter_of(QueryDict(request.POST.get("here", "")))
    return redirect(f"{reverse('items', args=[slug])}?{wanted.address(page=wanted.page)}")


def _came_from(request: AuthedRequest) -> str:
    """The path of the page with the button, if it is one of this site."""
    to = request.POST.get("to", "")
    return to if url_has_allowed_host_and_scheme(to, allowed_hosts=None) else ""
