"""Find what to work on: a ranked search in titles and abstracts, or some at random by a seed."""

from __future__ import annotations

from typing import Any

from django.core import signing
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation import protocol as registry
from annotation import randomness, search
from annotation.errors import NotFound
from annotation.models import Item, Project, User
from annotation.protocol import Activity
from frontend import none_left
from tasks.models import Task
from tasks.offering import Seeker, free_tasks, why_not_claim
from tasks.states import QueueState

PER_PAGE = 10
SALT = "goldfinch.search"


def page(request: HttpRequest, project: Project, activity: str) -> HttpResponse:
    """The results that this person may choose from; what they can't have is left out without a word why."""
    found = _searchable(project, activity)
    refused = why_not_claim(request.user, project, activity)
    if refused == "consent_missing":
        return redirect("consent", slug=project.slug)
    if refused:
        return none_left.not_eligible(request, project, activity, refused)
    query, seed = request.GET.get("q", "").strip()[:200], request.GET.get("seed", "")[:40]
    if not query and not seed:
        return redirect(f"{reverse('search', args=[project.slug, activity])}?seed={randomness.seed()}")
    hits = _ranked(request.user, project, found, query) if query else _random(request.user, project, found, seed)
    shown = Paginator(hits, PER_PAGE).get_page(request.GET.get("page", "1"))
    context = {
        "project": project.title,
        "slug": project.slug,
        "activity": activity,
        "title": found.title,
        "description": found.description,
        "query": query,
        "seed": seed,
        "random_url": f"?seed={randomness.seed()}",
        "results": [{"hit": hit, "token": _token(request.user, hit.item_id)} for hit in shown],
        "page": shown,
        "claim_url": reverse("claim", args=[project.slug, activity]),
    }
    return render(request, "work/search.html", context)


def chosen_item(user: User, project: Project, activity: str, token: str) -> Item | None:
    """The item that a result named, or None where none was; NotFound for what this person was not shown."""
    if not token:
        return None
    _searchable(project, activity)
    try:
        pk, owner = signing.loads(token, salt=SALT, max_age=24 * 3600)
    except signing.BadSignature:
        raise NotFound from None
    item = Item.objects.filter(pk=pk, project=project).first()
    if item is None or owner != user.pk:
        raise NotFound
    return item


def _searchable(project: Project, activity: str) -> Activity:
    for found in registry.get(project.protocol).activities:
        if found.key == activity and found.picks == "search":
            return found
    raise NotFound


def _seek(user: User, project: Project, found: Activity) -> Seeker | None:
    queues = tuple(project.queues.select_related("project").filter(activity=found.key, state=QueueState.OPEN))
    return Seeker(by=user, queues=queues, activity=found) if queues else None


def _ranked(user: User, project: Project, found: Activity, query: str) -> list[search.Hit]:
    seek, hits = _seek(user, project, found), search.find(project.pk, query)
    if seek is None:
        return []
    free = set(free_tasks(seek).filter(item__in=[hit.item_id for hit in hits]).values_list("item_id", flat=True))
    return [hit for hit in hits if hit.item_id in free]


def _random(user: User, project: Project, found: Activity, seed: str) -> list[search.Hit]:
    """Some at random: the free ones in the order of the project from a place that the seed tells."""
    seek = _seek(user, project, found)
    if seek is None:
        return []
    rows = free_tasks(seek).filter(item__search_text__isnull=False).select_related("item__search_text")
    drawn: list[Task] = list(rows.filter(order__gte=randomness.number(seed))[: 3 * PER_PAGE])
    drawn += [task for task in rows[: 3 * PER_PAGE] if task not in drawn]
    return [search.beginning(task.item) for task in drawn[: 3 * PER_PAGE]]


def _token(user: User, item_id: int) -> str:
    """Names a result without telling an id; it is worth nothing in other hands."""
    value: Any = (item_id, user.pk)
    return signing.dumps(value, salt=SALT, compress=True)
