"""Ask somebody who leaves a partner again within a day why they do, before they leave."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from frontend.requests import AuthedRequest
from tasks.models import Assignment
from tasks.pairs import leaving

SERVICES = ("skip", "give_back")
"""The routes by which work is left; the page names the one that led to it in `by`."""


def asked_at(request: AuthedRequest, assignment: Assignment, *, by: str, now: datetime) -> str:
    """The address of the page that asks; "" if a reason was sent, or none is asked for."""
    if request.POST.get("reason") or request.POST.get("text", "").strip():
        return ""
    asks = leaving.times_left(assignment, now=now)
    return f"{reverse('explain', args=[assignment.uuid])}?by={by}" if asks else ""


def page(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """The page that asks; the work, if there is nothing to ask."""
    times, by = leaving.times_left(assignment, now=now), request.GET.get("by", "")
    if not times:
        return redirect("work", assignment.uuid)
    context = {
        "times": times,
        "many": leaving.MANY,
        "reasons": leaving.LeaveReason.choices,
        "leave_url": reverse(by if by in SERVICES else "skip", args=[assignment.uuid]),
        "work_url": reverse("work", args=[assignment.uuid]),
        "project": assignment.task.item.project.title,
    }
    return render(request, "work/leaving.html", context)
