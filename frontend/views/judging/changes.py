"""What a lead can still change in a sealed round: exhibits that can't be judged, and raters who drop out."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock
from annotation.models import RoundState
from frontend import access
from frontend.access.projects import or_not_found
from frontend.leads.judging import exhibits
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.views.telling import refusal_told
from tasks.judging import defects, raters, working


@page_view
def index(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """The sealed exhibits, as raters see them."""
    row = access.led_results(request.user, slug, uuid)
    or_not_found(None if row.state == RoundState.DRAFT else row)
    rows = exhibits.exhibits_page(row, page=request.GET.get("page", "1"))
    return render(request, "judging/exhibits.html", {"project": row.project, "round": row, "rows": rows})


@action_view
def flag(request: AuthedRequest, slug: str, uuid: uuids.UUID, place: int) -> HttpResponse:
    """Flag an exhibit as a defect."""
    row = access.led_results(request.user, slug, uuid)
    exhibit = or_not_found(row.exhibits.select_related("round__project", "item").filter(place=place).first())
    with refusal_told(request):
        made = defects.flag(exhibit, why=request.POST.get("why", ""), by=request.user, now=clock.now())
        messages.success(request, _("Replaced by the next of the seal.") if made.replaced_by else _("Left out."))
    return redirect("judging_exhibits", slug, uuid)


@action_view
def replace(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Have somebody else judge in the place of a rater who drops out, or nobody."""
    row = access.led_results(request.user, slug, uuid)
    number, chosen = request.POST.get("number", ""), request.POST.get("person", "")
    rater = or_not_found(next((each for each in row.raters.all() if str(each.number) == number), None))
    person = next((each for each in raters.candidates(row.project) if str(each.pk) == chosen), None)
    or_not_found(person if chosen else rater)
    reason = request.POST.get("reason", "")
    with refusal_told(request):
        working.replace_rater(rater, person, reason=reason, by=request.user, now=clock.now())
        messages.success(request, _("Replaced. What they had marked counts nowhere."))
    return redirect("judging_round", slug, uuid)
