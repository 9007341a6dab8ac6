"""Figures of shared work for leads: how much is made alone, what ended early, flags, and waits in the lobby."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from annotation import projects, registry
from annotation.models import Annotation, Case, CaseKind, CaseState, Project, Purpose, Response, items_in_work
from annotation.protocol import Activity
from annotation.statistics.intervals import Share
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tasks.pairs import waiting


@dataclass(frozen=True)
class PairFigures:
    """Of one activity with several seats. Shares are 0..1, None if there is nothing to measure; waits are in seconds.

    `ended_early`: annotations in which something was said, that are not finished, and that nobody works on any more.
    """

    activity: Activity
    alone: Share | None
    alone_at_most: float
    ended_early: int
    flags_open: int
    flags_upheld: int
    waits: waiting.Waits | None


def pair_figures(project: Project) -> list[PairFigures]:
    """The figures of each activity of the project that several people do together."""
    shared = [each for each in registry.get(project.protocol).activities if len(each.seats) > 1]
    return [_figures(project, activity) for activity in shared]


def _figures(project: Project, activity: Activity) -> PairFigures:
    flags = Case.objects.filter(
        items_in_work("annotation__item__"),
        kind=CaseKind.FLAG,
        annotation__item__project=project,
        annotation__activity=activity.key,
    ).aggregate(open=Count("pk", filter=Q(state=CaseState.OPEN)), upheld=Count("pk", filter=Q(state=CaseState.UPHELD)))
    return PairFigures(
        activity=activity,
        alone=waiting.made_alone(project, activity).share if activity.alone else None,
        alone_at_most=projects.activity_config(project, activity.key).alone_at_most,
        ended_early=_ended_early(project, activity),
        flags_open=flags["open"],
        flags_upheld=flags["upheld"],
        waits=waiting.waits_of(project, activity.key),
    )


def _ended_early(project: Project, activity: Activity) -> int:
    said = Response.objects.filter(annotation=OuterRef("pk"))
    held = Assignment.objects.filter(annotation=OuterRef("pk"), state=AssignmentState.LEASED)
    unfinished = Annotation.objects.filter(
        items_in_work("item__"), item__project=project, activity=activity.key, purpose=Purpose.WORK, completed_at=None
    )
    return unfinished.filter(Exists(said), ~Exists(held)).count()


def for_report(project: Project) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same by activity, as the report prints them, and the published ones by the same keys."""
    ours = {
        one.activity.key: {
            "alone": one.alone.value if one.alone else None,
            "ended_early": one.ended_early,
            "flags_open": one.flags_open,
            "flags_upheld": one.flags_upheld,
            "lobby_seconds_median": one.waits.median if one.waits else None,
            "lobby_seconds_p90": one.waits.p90 if one.waits else None,
        }
        for one in pair_figures(project)
    }
    return ours, {one.activity.key: {"alone": one.activity.published_alone} for one in pair_figures(project)}
