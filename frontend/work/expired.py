"""The page shown when the lease has expired: what was kept, and how to continue."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext

from annotation import projects
from annotation.engine.work import Work
from frontend.work import conflicts
from frontend.work.csp import allow_frame
from tasks.models import Assignment


def page(request: HttpRequest, assignment: Assignment, work: Work) -> HttpResponse:
    """Shows what was sent and what is drafted; "Go on with this" opens the stage as it was left."""
    project, step = assignment.task.item.project, work.step_to_show
    titles = {each.key: gettext(each.title) for each in work.activity.stages}
    context = {
        "title": project.title,
        "ended_at": assignment.lease.expires_at,
        "asked": work.sheet(step).prompt,
        "said": [(titles[entry.stage], conflicts.answered_version(work, entry)) for entry in work.own],
        "draft": conflicts.drafted_version(work, step),
        "draft_stage": gettext(work.stage(step).title),
        "pay": projects.project_config(project).pay,
        "on_url": reverse("stage", args=[assignment.uuid, step]),
        "next_url": reverse("claim", args=[project.slug, work.activity.key]),
    }
    return allow_frame(request, render(request, "work/expired.html", context))
