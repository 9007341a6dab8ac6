"""The jobs of releases: count what one would contain if it were built now, and build it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation import clock
from annotation.engine import job_leases
from annotation.errors import ReleaseRefused
from annotation.models import Annotation, Job, Project, User, items_in_work
from annotation.protocol import Format
from annotation.releases import building, contents, load, members, recipes, selection
from annotation.releases.data_files import ItemsRefused
from annotation.releases.measuring import counting

Progress = Callable[[int, int], None]


def build(job: Job, *, by: User | None, progress: Progress) -> dict[str, Any]:
    """Build the release that the job asks for, and return its version; waits while another one is being built."""
    options = release_options(job.report["asked"])
    try:
        release = job_leases.when_free(
            lambda: building.build(job.project, **options, by=by, now=clock.now(), progress=progress),
            waiting=lambda: progress(0, 0),
        )
    except ItemsRefused as refusal:
        Job.objects.filter(pk=job.pk).update(report=job.report | {"refused": refusal.refused})
        raise
    return {"version": release.version}


def preview(job: Job, *, by: User | None, progress: Progress) -> dict[str, Any]:
    """What the release that the job asks for would contain and leave out."""
    options = release_options(job.report["asked"])
    return counted_preview(job.project, **options, looked_at=lambda number: progress(number, 0))


def release_options(asked: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `building.build` from what a job stores of them as JSON."""
    until = asked.get("until")
    return asked | {"until": datetime.fromisoformat(until) if until else None}


def counted_preview(
    project: Project,
    *,
    format: str,
    looked_at: Callable[[int], None] = lambda number: None,
    using: str = "snapshot",
    **options: Any,
) -> dict[str, Any]:
    """What a release would contain: counts by split as in a manifest, what is left out and why, and the number of
    people, as in a data card. JSON, of the same selection as a build, without files and without a version."""
    found, counts = recipes.format_of(project, format), members.Counts()
    recipe = recipes.recipe_of(format=found.key, **options)
    recipes.check_splits(project, found, recipe["splits"])
    with transaction.atomic(using=using):
        chosen = list(
            members.choose(project, found, recipe=recipe, release="", counts=counts, using=using, looked_at=looked_at)
        )
        number = len(chosen)
        if found.counted:
            counted = list(_counted(project, found, chosen, using=using))
            counts = counting.counts(found, chosen, counted, counts)
            number = number if counted else 0  # the build would refuse
        return {
            "members": number,
            "people": len(counts.people),
            "counts": contents.counts_of(project, found, recipe, counts, using=using),
            "left_out": counting.left_out(project, found, recipe=recipe, using=using),
        }


def _counted(
    project: Project, release_format: Format, chosen: list[members.FrozenMember], *, using: str
) -> Iterator[counting.CountedItem]:
    """What the format has of them; if it refuses one, all of that, since the build will say why."""
    for member, record in zip(chosen, load.records(project, chosen, using=using), strict=True):
        try:
            yield from list(counting.of_record(release_format, record))
        except ReleaseRefused:
            yield from counting.of_members([member])


def is_quick_preview(project: Project, *, format: str) -> bool:
    """Whether a preview is made within a request; otherwise a job makes it."""
    wanted = selection.activities_of(recipes.format_of(project, format))
    rows = Annotation.objects.filter(wanted, items_in_work("item__"), item__project=project)
    return rows[: QUICK + 1].count() <= QUICK


QUICK = 2000
"""Annotations that are selected within 0.2 s or so."""
