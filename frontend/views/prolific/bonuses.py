"""A lead previews bonuses from the pay table, confirms them once, and decides those that stay unclear."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation import clock, randomness
from annotation.errors import NotFound
from frontend import access
from frontend.leads.prolific.forms import BonusForm, keys_among
from frontend.leads.prolific.page import preview_of
from frontend.requests import AuthedRequest, parse_day
from frontend.views.prolific.telling import told
from tasks.prolific import bonuses


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def preview(request: AuthedRequest, slug: str) -> HttpResponse:
    """What each would get, up to a day; POST confirms it."""
    study = access.led_study(request.user, slug)
    today = timezone.localdate(clock.now())
    if request.method == "POST":
        return _confirmed(request, slug)
    until = min(parse_day(request.GET.get("until", "")) or today, today)
    shown = {"project": study.project, "study": study, "today": today, "key": randomness.handle()}
    return render(request, "people/prolific/bonus.html", shown | preview_of(study, until=until))


def _confirmed(request: AuthedRequest, slug: str) -> HttpResponse:
    study, form, now = access.led_study(request.user, slug), BonusForm(request.POST), clock.now()
    if not form.is_valid():
        messages.error(request, _(bonuses.CHANGED))
        return redirect("prolific_bonus", slug)
    seen, until, key = form.chosen()
    only = frozenset(keys_among(request.POST.getlist("person")))
    today, following = timezone.localdate(now), "prolific_bonus"
    with told(request):
        bonuses.confirm(study, seen=seen, only=only, until=until, key=key, by=request.user, now=now, today=today)
        messages.success(request, _("Confirmed. They are sent within a minute; below is what becomes of them."))
        following = "prolific"
    return redirect(following, slug)


@login_required
@require_POST
def decide(request: AuthedRequest, slug: str, settlement: uuids.UUID) -> HttpResponse:
    """Take back what was not sent to be paid, or say what became of what stayed unclear."""
    bonus = access.led_bonus(request.user, slug, settlement)
    what, by, now = request.POST.get("what", ""), request.user, clock.now()
    with told(request):
        if what == "take_back":
            bonuses.take_back(bonus, by=by, now=now)
        elif what in {"paid", "not_paid"}:
            bonuses.decide(bonus, paid=what == "paid", by=by, now=now)
        else:
            raise NotFound
        messages.success(request, _("Noted."))
    return redirect("prolific", slug)
