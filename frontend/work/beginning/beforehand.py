"""What people learn at home before they begin: how long a piece of work takes, and that guidelines have changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Model, Q
from django.utils.translation import gettext

from annotation.models import Annotation, GuidelineVersion, Project, Response, User
from annotation.protocol import Activity
from frontend.wording import noun_of_activity
from tasks.board import kept

ENOUGH = 5
"""So many pieces of finished work give a median that people are told; before, it is the published mean."""
STEP = 10
"""Seconds to which less than two minutes are rounded; longer times to whole minutes."""


def usual_seconds(project: Project, activity: Activity) -> float | None:
    """How long one piece of work takes one person: the median as last measured, or the published mean; None: unknown.

    What is measured of shared work is the time of all who did it together.
    """
    found = kept.of_page(project)
    whole = (found.values["times"].get(activity.key) or {}).get("whole") if found else None
    if whole and whole["n"] >= ENOUGH:
        return float(whole["median"]) / max(1, len(activity.seats))
    return activity.published_seconds


def usual_time_in_words(project: Project, activity: Activity) -> str:
    """The same as `about 80 s each` or `about 3 min each`, "" if it is unknown."""
    seconds = usual_seconds(project, activity)
    if not seconds:
        return ""
    noun = noun_of_activity(activity).one
    if seconds < 120:
        n = max(STEP, STEP * round(seconds / STEP))
        return gettext("about %(n)s s per %(noun)s") % {"n": n, "noun": noun}
    return gettext("about %(n)s min per %(noun)s") % {"n": round(seconds / 60), "noun": noun}


@dataclass(frozen=True)
class ChangedGuidelines:
    """Guidelines by which some right answers are others than when the person last began something."""

    project: str
    slug: str
    at: datetime


def changed_guidelines(user: User, projects: Iterable[Project]) -> list[ChangedGuidelines]:
    """Those of the projects whose guidelines changed semantically since the version the person last worked under.

    Nothing about projects in which they have not begun: they read the guidelines before they do.
    """
    versions = GuidelineVersion.objects.filter(kind=GuidelineVersion.Kind.SEMANTIC, number__gt=1)
    found = []
    for project in projects:
        last = versions.filter(project=project).order_by("-number").first()
        worked_under = _last_version(user, project) if last is not None else None
        if last is not None and worked_under is not None and worked_under < last.number:
            found.append(ChangedGuidelines(project.title, project.slug, last.at))
    return found


def _last_version(user: User, project: Project) -> int | None:
    """The newest version under which the person began or answered anything there."""
    mine = {"author": user, "guidelines__project": project}
    rows: tuple[type[Model], ...] = (Annotation, Response)
    numbers = [row._default_manager.filter(Q(**mine)).aggregate(n=Max("guidelines__number"))["n"] for row in rows]
    return max((n for n in numbers if n is not None), default=None)
