"""The human upper bound of a project: measured by a job, and kept with the time, the cost and what is not in it."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, Q

from annotation import projects, registry
from annotation.models import RELEASED, Annotation, Project, Purpose, items_in_work
from annotation.protocol import Protocol
from annotation.releases import load, members
from annotation.statistics.estimates import METHOD
from tasks.measuring import figures
from tasks.models import HumanFigures

ALL = ""
"""Stands for all splits together."""


def measure(project: Project) -> dict[str, Any]:
    """The bound of each split and of all together, and what is not in it, from one snapshot of the database.

    Measured is what a release would contain: finished work on items that have all of their annotations, and imports.
    LookupError if the protocol has no bound.
    """
    protocol = registry.get(project.protocol)
    if protocol.human is None:
        raise LookupError(f"{protocol.title} has no human upper bound.")
    counts = members.Counts()
    recipe = {"splits": [], "partial": False, "purposes": list(RELEASED)}
    parts: dict[str, list[Any]] = defaultdict(list)
    seed = projects.project_config(project).seed
    with transaction.atomic(using="snapshot"):
        chosen = members.choose(
            project, protocol.formats[0], recipe=recipe, release="", counts=counts, using="snapshot"
        )
        for record in load.records(project, list(chosen), using="snapshot"):
            parts[record.item.split].append(protocol.human.part(record, seed))
        not_measured = _not_measured(project, protocol)
    if len(parts) != 1:
        parts = {ALL: [part for split in parts.values() for part in split], **parts}
    return {
        "splits": {split: protocol.human.measure(found, seed).as_json() for split, found in parts.items()},
        "not_measured": {"incomplete": counts.incomplete.total(), **not_measured},
        "method": METHOD,
    }


def _not_measured(project: Project, protocol: Protocol) -> dict[str, int]:
    """How many annotations are not measured, by the reason."""
    layout = protocol.formats[0]
    rows = Annotation.objects.using("snapshot").filter(
        items_in_work("item__"), item__project=project, activity__in=(layout.activity, *(layout.root_activities or ()))
    )
    ours, late = Q(purpose__in=RELEASED), Q(exclusion_reason="late")
    return rows.aggregate(
        unfinished=Count("pk", filter=ours & Q(completed_at=None, excluded_at=None)),
        excluded=Count("pk", filter=ours & Q(excluded_at__isnull=False) & ~late),
        late=Count("pk", filter=ours & late),
        checks=Count("pk", filter=Q(purpose__in=(Purpose.CHECK, Purpose.REFERENCE))),
        exams=Count("pk", filter=Q(purpose=Purpose.QUIZ)),
        studies=Count("pk", filter=Q(purpose=Purpose.STUDY)),
    )


def measure_due(*, now: datetime) -> int:
    """Measure the projects in which something has happened since the last time; returns how many.

    Like `figures.measure_due`, large ones in a process of its own.
    """
    due = [
        (project, last)
        for project in Project.objects.select_related("human_figures").order_by("pk")
        if registry.get(project.protocol).human is not None
        and _is_due(project, last := getattr(project, "human_figures", None), now=now)
    ]
    return figures.keep_each(due, keep, ("human_bound", "--keep"), now=now)


def _is_due(project: Project, last: HumanFigures | None, *, now: datetime) -> bool:
    """Whether something has happened, or what is kept was measured by an older version."""
    kept = last.values if last is not None else {}
    is_old = "splits" in kept and "refused" not in kept and kept.get("method") != METHOD
    return is_old or figures.is_due(project, last, now=now)


def keep(project: Project, *, now: datetime) -> dict[str, Any]:
    """Measure a project and keep the figures for its page; returns what `measure` does."""
    return figures.kept(HumanFigures, project, measure, now=now)


def of_page(project: Project) -> HumanFigures | None:
    """The figures that were measured last, if any."""
    return HumanFigures.objects.filter(project=project).first()
