"""How an assignment was found by a search, and the way back to its results."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse

from annotation import events
from annotation.models import Event
from tasks.models import Assignment

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
