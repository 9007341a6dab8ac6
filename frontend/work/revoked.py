"""The notice to a person whose work was taken away: that their time counts, and how to continue."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from annotation import projects, registry
from annotation.errors import PlaceTaken, Refused, TakenOut
from annotation.html.limits import PageRefused
from annotation.models import Purpose
from tasks.engine import assignments
from tasks.models import Assignment
from tasks.models.states import TaskState

AWAY = (PlaceTaken, TakenOut)


@dataclass(frozen=True)
class Away:
    """`pay`: the project states a rate. `next_url` (method `next_by`): the rest of the block, a search or a claim; for
    work that no claim gives, the disputes or the page of the round.
    """

    pay: bool
    next_url: str
    next_by: str


def away_of(request: HttpRequest, refused: Refused, assignment: Assignment | None = None) -> Away | None:
    """The notice about work that was revoked, or whose page can't be shown; None for other refusals."""
    uuid = request.resolver_match.kwargs.get("uuid") if request.resolver_match else None
    if not isinstance(refused, (*AWAY, PageRefused)) or uuid is None or not request.user.is_authenticated:
        return None
    rows = Assignment.objects.select_related("task__item__project", "lease", "annotation")
    found = assignment or rows.filter(uuid=uuid, annotator=request.user).first()
    return way_on(found) if found is not None else None


def hides(assignment: Assignment) -> bool:
    """Whether the material may no longer be shown: the work was revoked, or its item withdrawn since."""
    return isinstance(assignments.why_closed(assignment), AWAY) or assignment.task.state == TaskState.CANCELLED


def way_on(assignment: Assignment) -> Away:
    """How the person who held this continues."""
    project, name = assignment.task.item.project, assignment.task.activity
    activity = registry.get(project.protocol).activity(name)
    following = assignments.next_in_block(assignment) if activity.block else None
    exhibit = assignment.annotation.exhibit
    if assignment.annotation.purpose == Purpose.REFERENCE:
        way = reverse("disputes", args=[project.slug]), "get"
    elif following is not None:
        way = reverse("work", args=[following.uuid]), "get"
    elif exhibit is not None:
        way = reverse("judge", args=[exhibit.round.uuid]), "get"
    elif activity.picks == "search":
        way = reverse("search", args=[project.slug, name]), "get"
    else:
        way = reverse("claim", args=[project.slug, name]), "post"
    return Away(pays(assignment), *way)


def pays(assignment: Assignment) -> bool:
    """Whether its project states a rate of pay."""
    return bool(projects.project_config(assignment.task.item.project).pay)
