"""The page that says why there is no work, and what else there is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.models import Project
from frontend import offers
from frontend.policies import framing
from tasks.claiming import Nothing


def page(request: HttpRequest, project: Project, activity: str, nothing: Nothing) -> HttpResponse:
    """Why nothing is left, when to look again, and the person's other activities."""
    others = [
        offer
        for offer in offers.of(request.user)
        if (offer["slug"], offer["activity"]) != (project.slug, activity) and offer["left"] and not offer["why_not"]
    ]
    context = {
        "reason": nothing.reason,
        "sentence": offers.WHY_NOTHING[nothing.reason],
        "next_at": nothing.next_at,
        "others": others,
        "title": project.title,
    }
    response = framing(request, render(request, "work/none_left.html", context))
    if request.htmx:
        response["HX-Push-Url"] = "/"
    return response
