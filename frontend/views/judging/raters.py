"""A judging round for its rater: begin, go on, lock."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from annotation import clock
from annotation.errors import NotFound
from frontend import access
from frontend.middleware import before_looking
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.views.telling import refusal_told
from frontend.work import judging
from tasks.judging import looking, working


@page_view
def show(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """What is asked, how far the rater is, and how they go on."""
    row, rater = access.own_round(request.user, uuid)
    return render(request, "judging/round.html", judging.page_of(row, rater))


@action_view
def begin(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """The first exhibit without a mark, or the page of the round if all have one."""
    row, _rater = access.own_round(request.user, uuid)
    with refusal_told(request):
        lease = working.begin(row, by=request.user, now=clock.now())
        if following := working.left_to_judge(lease).first():
            return redirect("work", following.uuid)
    return redirect("judge", uuid)


@action_view
def lock(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Lock the rater's marks."""
    row, _rater = access.own_round(request.user, uuid)
    with refusal_told(request):
        working.lock(row, by=request.user, now=clock.now())
        messages.success(request, _("Locked. Your marks are final now."))
    return redirect("judge", uuid)


@action_view
def look_anyway(request: AuthedRequest) -> HttpResponse:
    """Record that the rater looks at what they judge, and go on to it."""
    to = request.POST.get("to", "")
    if not url_has_allowed_host_and_scheme(to, allowed_hosts=None):
        raise NotFound
    try:
        match = resolve(to.split("?")[0])
    except Resolver404:
        raise NotFound from None
    if not before_looking.may_show(match.url_name or "", match.kwargs):
        raise NotFound
    looking.look(request.user, match.kwargs["slug"], match.kwargs.get(before_looking.OF_ITEM), now=clock.now())
    return redirect(to)
