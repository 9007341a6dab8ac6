"""Figures of a project beside the published ones: a job measures them, and they are kept with the time and the cost."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.db import transaction

from annotation import registry
from annotation.errors import Refused
from annotation.models import RELEASED, Annotation, Event, JudgingRound, Project
from annotation.processes import children
from annotation.releases import load, members
from annotation.statistics import clustered_means
from annotation.statistics.human_bound import Figure
from tasks.engine.transactions import service
from tasks.measuring.pairs import for_report
from tasks.models import BoardFigures, Figures, HumanFigures, RoundFigures, RoundMetrics
from tasks.models.measurements import Measurement

logger = logging.getLogger(__name__)
MANAGE = str(settings.BASE_DIR / "manage.py")
BREAK = 20
"""After a measurement, the next one is due after so many times as long as it took: 5 % of one core at most."""
QUICK, SMALL = 0.1, 200
"""What took at most so many seconds, or was never measured and has so few annotations, is measured in this process."""

MEANS = "means"
"""The key of what is kept of the means with their intervals."""
Kind = type[BoardFigures] | type[Figures] | type[HumanFigures] | type[RoundFigures] | type[RoundMetrics]
Subject = TypeVar("Subject", Project, JudgingRound)
Found = TypeVar("Found")


class MeasuredFigures(NamedTuple):
    """Figures in groups, the published ones by the same keys, and each mean with its interval by `group.figure`."""

    ours: dict[str, Any]
    published: dict[str, Any]
    means: dict[str, Figure]

    @property
    def values(self) -> dict[str, Any]:
        """What is kept."""
        return {**self.ours, MEANS: {key: mean.as_json() for key, mean in self.means.items()}}


def measure(project: Project) -> MeasuredFigures:
    """Figures of all work finished so far, from one snapshot of the database.

    Work in unfinished items counts; excluded work, checks and exams don't. LookupError without a report.
    """
    protocol = registry.get(project.protocol)
    if protocol.report is None:
        raise LookupError(f"{protocol.title} has no published figures to compare with.")
    recipe = {"splits": [], "partial": True, "purposes": list(RELEASED)}
    with transaction.atomic(using="snapshot"):
        chosen = members.choose(
            project, protocol.formats[0], recipe=recipe, release="", counts=members.Counts(), using="snapshot"
        )
        figures = protocol.report.figures(load.records(project, list(chosen), using="snapshot"))
    together, of_others = for_report(project)
    return MeasuredFigures(
        clustered_means.plain_values(figures) | together,
        {**protocol.report.published, **of_others},
        clustered_means.means_with_intervals(figures, seed=project.slug),
    )


def measure_due(*, now: datetime) -> int:
    """Measure the projects in which something has happened since the last time; returns how many.

    A large one in a process of its own: beside a busy thread, every page of this process would wait.
    """
    due = [
        (project, last)
        for project in Project.objects.select_related("figures").order_by("pk")
        if registry.get(project.protocol).report is not None
        and _is_due(project, last := getattr(project, "figures", None), now=now)
    ]
    return keep_each(due, keep, ("report", "--keep"), now=now)


def _is_due(project: Project, last: Figures | None, *, now: datetime) -> bool:
    """Whether something has happened, or what is kept was measured by a version without intervals."""
    is_old = last is not None and "refused" not in last.values and MEANS not in last.values
    return is_old or is_due(project, last, now=now)


def keep_each(
    due: Sequence[tuple[Project, Measurement | None]],
    keep: Callable[..., Any],
    command: Sequence[str],
    *,
    now: datetime,
) -> int:
    """Measure each of these projects, small ones by `keep`, large ones by the command; returns how many were."""
    measured = dict(due)

    def one(project: Project) -> None:
        if is_quick(project, measured[project]):
            keep(project, now=now)
        else:
            in_a_process_of_its_own(*command, project.slug)

    return measure_each(measured, one, command[0])


def measure_each(projects: Iterable[Project], measure: Callable[[Project], Any], what: str) -> int:
    """Measure each of these projects; returns how many were.

    One that is refused, or whose process fails, is in the log with `what` failed, and keeps no other from being
    measured.
    """
    measured = 0
    for project in projects:
        try:
            measure(project)
        except children.Ending:
            break
        except (Refused, subprocess.CalledProcessError) as failed:
            logger.warning("%s is not measured (%s): %s", project.slug, what, failed)
        else:
            measured += 1
    return measured


def keep(project: Project, *, now: datetime) -> MeasuredFigures:
    """Measure a project and keep the figures for its page; returns what `measure` does."""
    return kept(Figures, project, measure, values=lambda found: found.values, now=now)


def kept(
    kind: Kind,
    subject: Subject,
    measure: Callable[[Subject], Found],
    *,
    values: Callable[[Any], dict[str, Any]] = lambda found: found,
    now: datetime,
) -> Found:
    """Measure a project or a round, and keep the `values` of what was found; returns what `measure` does.

    If that is refused, the values of the last time stay, with the reason in `refused`, until something happens.
    """
    up_to, begun = last_event(), time.monotonic()
    try:
        found = measure(subject)
    except Refused as refused:
        before = kind.objects.filter(**_row_of(subject)).first()
        stays = {**(before.values if before else {}), "refused": refused.message}
        at = before.measured_at if before else now
        _store(kind, subject, stays, up_to=up_to, seconds=time.monotonic() - begun, now=at)
        raise
    _store(kind, subject, values(found), up_to=up_to, seconds=time.monotonic() - begun, now=now)
    return found


def of_page(project: Project) -> Figures | None:
    """The figures that were measured last, if any."""
    return Figures.objects.filter(project=project).first()


def is_due(project: Project, last: Measurement | None, *, now: datetime) -> bool:
    """Whether something has happened since the last measurement, and it is time for another one."""
    if last is None:
        return Event.objects.filter(project_id=project.pk).exists()
    if now < last.measured_at + BREAK * timedelta(seconds=last.seconds):
        return False
    return Event.objects.filter(project_id=project.pk, pk__gt=last.up_to).exists()


def is_quick(project: Project, last: Measurement | None) -> bool:
    """Whether measuring is so quick that it holds nobody up in this process."""
    if last is not None:
        return last.seconds <= QUICK
    return Annotation.objects.filter(item__project=project, completed_at__isnull=False)[: SMALL + 1].count() <= SMALL


def in_a_process_of_its_own(*command: str) -> None:
    """Run a management command in a child process, and wait for it."""
    children.run([sys.executable, MANAGE, *command])


def last_event() -> int:
    """The key of the latest event: what comes after it is not measured yet."""
    return Event.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


@service
def _store(kind: Kind, subject: Subject, values: dict[str, Any], *, up_to: int, seconds: float, now: datetime) -> None:
    kept = {"values": values, "up_to": up_to, "seconds": seconds, "measured_at": now}
    kind.objects.update_or_create(**_row_of(subject), defaults=kept)


def _row_of(subject: Project | JudgingRound) -> dict[str, Any]:
    return {"project" if isinstance(subject, Project) else "round": subject}
