"""The page of work whose time has ended: what is kept, and the ways on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from annotation import projects
from annotation.work import Work
from frontend.work import conflicts
from frontend.work.csp import framing
from tasks.models import Assignment


def page(request: HttpRequest, assignment: Assignment, work: Work, stage: str) -> HttpResponse:
    """What was sent and what is drafted, in words; going on opens the stage as it was left."""
    project = assignment.task.item.project
    titles = {each.key: each.title for each in work.activity.stages}
    context = {
        "title": project.title,
        "ended_at": assignment.lease.expires_at,
        "asked": work.sheet(stage).prompt,
        "said": [(titles[entry.stage], conflicts.of_said(work, entry)) for entry in work.own],
        "draft": conflicts.of_draft(work, stage),
        "draft_stage": work.stage(stage).title,
        "pay": projects.project_config(project).pay,
        "on_url": reverse("stage", args=[assignment.uuid, stage]),
        "next_url": reverse("claim", args=[project.slug, work.activity.key]),
    }
    return framing(request, render(request, "work/expired.html", context))
