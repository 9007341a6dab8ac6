"""The page that says why there is no work, and what else there is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotation import clock, registry
from annotation.models import Project
from annotation.worktime import totals
from frontend.requests import AuthedRequest
from frontend.wording import noun_of_activity
from frontend.work.beginning import missing, offers
from frontend.work.csp import allow_frame
from tasks.engine.no_work import NoWork
from tasks.models import Task
from tasks.models.states import TaskState

UNDONE = (TaskState.OPEN, TaskState.FULL, TaskState.FROZEN)


def page(request: AuthedRequest, project: Project, activity: str, nothing: NoWork) -> HttpResponse:
    """Says why nothing is left, when to look again, and what else the person can do."""
    sentence = why_none(project, activity, nothing)
    left = (nothing.next_at - clock.now()) if nothing.next_at else None
    minutes = max(1, -(-left // timedelta(minutes=1))) if left else None
    hours = round(minutes / 60) if minutes and minutes >= 60 else None
    more: dict[str, Any] = {"next_at": nothing.next_at, "minutes": minutes, "hours": hours}
    return _page(request, project, activity, nothing.reason, sentence, **more)


def why_none(project: Project, activity: str, nothing: NoWork) -> Any:
    """Why nothing is left, in a sentence."""
    done = nothing.reason == "done_all_you_may"
    return _done_all_you_may(project, activity) if done else offers.WHY_NOTHING[nothing.reason]


def not_eligible(request: AuthedRequest, project: Project, activity: str, reason: str) -> HttpResponse:
    """403: says why the person may not do this work at all."""
    if reason == "not_qualified":
        lacking = missing.missing_qualifications(request.user, project, activity)
        words = missing.missing_in_words(lacking)
        return _page(request, project, activity, reason, words, status=403, missing=lacking)
    return _page(request, project, activity, "not_eligible", offers.WHY_NOT[reason], status=403)


def _page(
    request: AuthedRequest,
    project: Project,
    activity: str,
    reason: str,
    sentence: Any,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    others = [
        offer
        for offer in offers.offers_for(request.user)
        if (offer["slug"], offer["activity"]) != (project.slug, activity) and offer["left"] and not offer["why_not"]
    ]
    context = {
        "reason": reason,
        "sentence": sentence,
        "others": others,
        "title": project.title,
        "noun": noun_of_activity(registry.get(project.protocol).activity(activity)),
        "finished_today": totals.today_of(request.user, now=clock.now()).finished,
        **more,
    }
    response = allow_frame(request, render(request, "work/none_left.html", context, status=status))
    if request.htmx:
        response["HX-Push-Url"] = "/"
    return response


def _done_all_you_may(project: Project, activity: str) -> str:
    """How many are left, and who they are for."""
    left = Task.objects.filter(queue__project=project, activity=activity, state__in=UNDONE).count()
    words = offers.in_words(registry.get(project.protocol).activity(activity), left)
    return _("The rest is for other people, or is waiting for a lead (%(left)s left).") % {"left": words}
