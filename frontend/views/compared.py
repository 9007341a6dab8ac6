"""Annotations side by side, for leads and experts: the items that agree least, and one of them."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from annotation import membership
from annotation.models import Role
from frontend import access
from frontend.experts import sides, worst
from frontend.leads.items import exam_decisions
from frontend.leads.items.overview import prompt_of
from frontend.requests import AuthedRequest, page_view
from frontend.wording import noun_of_activity
from frontend.work.csp import allow_frame


def query(split: str) -> str:
    """The query by which the next pages keep to a split."""
    return f"?{urlencode({'split': split})}" if split else ""


@page_view
def index(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """The items of an activity that several people have done, those on which they agree least first."""
    project, found = access.compared_activity(request.user, slug, activity)
    split = request.GET.get("split", "")
    context = {
        "project": project,
        "activity": found.key,
        "title": gettext(found.title),
        "noun": noun_of_activity(found),
        "split": split,
        "query": query(split),
        "rows": worst.listed(request.user, project, found, split=split, page=request.GET.get("page", "1")),
        "splits": worst.splits(request.user, project, found),
        "leads": Role.LEAD in membership.roles_of(request.user, project),
    }
    return render(request, "experts/compared.html", context)


@page_view
def item(request: AuthedRequest, slug: str, activity: str, item_id: int) -> HttpResponse:
    """The annotations of one item side by side; with `names=1`, leads see whose they are."""
    found, kind = access.compared_item(request.user, slug, activity, item_id)
    leads = Role.LEAD in membership.roles_of(request.user, found.project)
    split, names = request.GET.get("split", ""), leads and request.GET.get("names") == "1"
    context = {
        "project": found.project,
        "item_id": found.pk,
        "activity": kind.key,
        "title": gettext(kind.title),
        "noun": noun_of_activity(kind),
        "prompt": prompt_of(found),
        "split": split,
        "query": query(split),
        "named": urlencode({"split": split, "names": 1}),
        "leads": leads,
        "names": names,
        "place": worst.place_of(request.user, found, kind, split=split),
        "shown": sides.sides_of(found, kind, by=request.user, names=names),
        "aside": found.set_aside_at is not None,
        "exam": exam_decisions.exam_decision(found) if leads else None,
    }
    return allow_frame(request, render(request, "experts/compare.html", context))
