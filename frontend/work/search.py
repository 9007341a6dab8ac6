"""Choose what to work on: ranked search in titles and abstracts, or a seeded random sample; everything is recorded.

Time on a search page counts towards its project: the page holds a signed token of when it was rendered and how many
words it showed, and posts it back with how long it was visible.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.core import signing
from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from annotation import clock, events, randomness, registry, search
from annotation.documents.words import length_of
from annotation.errors import NotFound
from annotation.models import Event, Item, Project, User
from annotation.protocol import Activity
from annotation.search import Hit
from annotation.worktime import spans
from frontend.requests import AuthedRequest
from frontend.work import messages, page_time
from frontend.work.beginning import no_work
from tasks.engine import skip_and_return
from tasks.engine.eligibility import SESSION, Seeker, free_tasks, why_not_claim
from tasks.models import Assignment
from tasks.models.states import QueueState

OPENED = "search.opened"
"""The kind of the event that records how an assignment was found."""


def opening_of(assignment: Assignment) -> Event | None:
    """The event of its opening from a search; None if it was given without one."""
    return Event.objects.filter(subject=events.name(assignment), kind=OPENED).order_by("pk").first()


def results_url(assignment: Assignment) -> str:
    """The page of results on which this work was found; the search itself, if that is not known."""
    url = reverse("search", args=[assignment.task.item.project.slug, assignment.task.activity])
    opening = opening_of(assignment)
    if opening is None:
        return url
    query, seed, page = (opening.data[name] for name in ("query", "seed", "page"))
    found = {"q": query} if query else {"seed": seed}
    return f"{url}?{urlencode(found | ({'page': page} if page > 1 else {}))}"


PER_PAGE = 10
LONGEST_QUERY = 200
"""Characters."""
SALT = "goldfinch.search"
LONGEST = 24 * 3600
"""Seconds for which an open page stays usable and its time reports are accepted."""


@dataclass(frozen=True)
class SearchResult:
    """A result of a search: the item, its rank from 1 among all results, and what was searched ("": at random)."""

    item_id: int
    query: str
    seed: str
    rank: int
    page: int

    @property
    def item(self) -> Item:
        """The item itself."""
        return Item.with_set_aside.get(pk=self.item_id)


def page(request: AuthedRequest, project: Project, activity: str) -> HttpResponse:
    """The results that this person may choose from; others are silently left out."""
    found = searchable(project, activity)
    refused = why_not_claim(request.user, project, activity)
    if refused == "consent_missing":
        return redirect(f"{reverse('consent', args=[project.slug])}?{urlencode({'to': activity})}")
    if refused:
        return no_work.not_eligible(request, project, activity, refused)
    query, seed = request.GET.get("q", "").strip()[:LONGEST_QUERY], request.GET.get("seed", "")[:40]
    if not query and not seed:
        return redirect(f"{reverse('search', args=[project.slug, activity])}?seed={randomness.seed()}")
    context = {
        "project": project.title,
        "slug": project.slug,
        "activity": activity,
        "title": gettext(found.title),
        "description": gettext(found.description),
        "examples": found.searches,
        "steps": [gettext(stage.title) for stage in found.stages],
        "help": f"{project.protocol}/_{activity}_help.html",
        "query": query,
        "seed": seed,
        "random_url": f"?seed={randomness.seed()}",
        "claim_url": reverse("claim", args=[project.slug, activity]),
    }
    user, number = request.user, request.GET.get("page", "1")
    context |= results_of(user, project, found, query=query, seed=seed, page=number)
    context |= _skipped(request, project, activity)
    if query and not context["results"]:
        context["instead"] = results_of(user, project, found, query="", seed=randomness.seed(), page=number)["results"]
    shown = [one["hit"] for one in (*context["results"], *context.get("instead", ()))]
    context["time_note"] = _time_note(request.user, project, shown)
    return render(request, "work/search.html", context)


def _skipped(request: AuthedRequest, project: Project, activity: str) -> dict[str, Any]:
    """The undo button for what the person has just skipped, and what is asked after many skips in a row."""
    now = clock.now()
    skipped = skip_and_return.last_undoable_skip(request.user, project, activity, now=now)
    if skipped is None or skipped.closed_at is None:
        return {}
    left = skip_and_return.UNDO_SECONDS - (now - skipped.closed_at).total_seconds()
    undo = {"url": reverse("unskip", args=[skipped.uuid]), "ms": int(left * 1000)}
    return {"undo": undo, "said": messages.after_skip(skipped)}


def results_of(user: User, project: Project, activity: Activity, *, query: str, seed: str, page: str) -> dict[str, Any]:
    """A page of `results`, each with its `hit` and the signed `token` that opens it, and the `page` of the paginator.

    Records what was shown.
    """
    items = _ranked(user, project, activity, query) if query else _random(user, project, activity, seed)
    shown: Page[Any] = Paginator(items, PER_PAGE).get_page(page)
    hits = search.hits(list(shown), query) if query else [search.beginning(item) for item in shown]
    ranked = [
        SearchResult(item_id=hit.item_id, query=query, seed="" if query else seed, rank=rank, page=shown.number)
        for rank, hit in enumerate(hits, start=shown.start_index())
    ]
    events.record(
        "search.shown", project, by=user, now=clock.now(), activity=activity.key,
        query=query, seed="" if query else seed, random=not query, page=shown.number, total=shown.paginator.count,
        results=[[one.item_id, one.rank] for one in ranked],
    )  # fmt: skip
    results = [{"hit": hit, "token": _token(user, one)} for hit, one in zip(hits, ranked, strict=True)]
    return {"results": results, "page": shown}


def chosen(user: User, project: Project, activity: str, token: str) -> SearchResult | None:
    """The result that the token names; None without a token, NotFound unless this person was shown it."""
    if not token:
        return None
    searchable(project, activity)
    try:
        owner, *values = signing.loads(token, salt=SALT, max_age=LONGEST)
    except signing.BadSignature:
        raise NotFound from None
    choice = SearchResult(*values)
    if owner != user.pk or not Item.objects.filter(pk=choice.item_id, project=project).exists():
        raise NotFound
    return choice


def record_opening(assignment: Assignment, choice: SearchResult, *, by: User, now: datetime) -> None:
    """Record which search result led to this work, unless the person was given work that they already held."""
    if assignment.task.item_id == choice.item_id and opening_of(assignment) is None:
        events.record(
            OPENED, assignment, by=by, now=now,
            query=choice.query, seed=choice.seed, rank=choice.rank, page=choice.page,
        )  # fmt: skip


def _time_note(user: User, project: Project, hits: Iterable[Hit]) -> str:
    """The signed token for time reports of a page of these results; valid only for this person and project."""
    words = sum(length_of(text).n for hit in hits for text, _found in (*hit.title, *hit.excerpt))
    return page_time.note(user, project, stage=spans.SEEKING, words=words)


def searchable(project: Project, activity: str) -> Activity:
    """The activity if its work is chosen by search; NotFound otherwise."""
    for found in registry.get(project.protocol).activities:
        if found.key == activity and found.picks == "search":
            return found
    raise NotFound


def _seek(user: User, project: Project, activity: Activity) -> Seeker | None:
    queues = tuple(project.queues.select_related("project").filter(activity=activity.key, state=QueueState.OPEN))
    return Seeker(user, project, queues, activity, project.protocol, clock.now() - SESSION) if queues else None


def _ranked(user: User, project: Project, activity: Activity, query: str) -> list[int]:
    """Ids of the matching items that are free, best match first."""
    seek, ranked = _seek(user, project, activity), search.find(project.pk, query)
    if seek is None:
        return []
    free = set(free_tasks(seek).filter(item__in=ranked).values_list("item_id", flat=True))
    return [item_id for item_id in ranked if item_id in free]


def _random(user: User, project: Project, activity: Activity, seed: str) -> list[Item]:
    """A random sample of free items, shuffled by the seed: the same as long as the same items are free."""
    seek = _seek(user, project, activity)
    if seek is None:
        return []
    free = free_tasks(seek).filter(item__search_text__isnull=False).order_by().values_list("item_id", flat=True)
    drawn = heapq.nsmallest(3 * PER_PAGE, set(free), key=lambda item_id: randomness.number(seed, item_id))
    items = Item.with_set_aside.select_related("search_text").in_bulk(drawn)
    return [items[item_id] for item_id in drawn]


def _token(user: User, choice: SearchResult) -> str:
    """A signed token for a result; valid only for this person."""
    value: Any = (user.pk, *astuple(choice))
    return signing.dumps(value, salt=SALT, compress=True)
